import pytest

from wireroom.feeds import discovery, sites
from wireroom.feeds.sites.address import Address

_CHANNEL = "UC" + "x" * 22
_VIDEOS = "https://www.youtube.com/feeds/videos.xml"
_FLICKR = "https://www.flickr.com/services/feeds"

# An address, and the feeds that are known from it alone.
_ADDRESSES = {
    f"https://www.youtube.com/channel/{_CHANNEL}/videos": [f"{_VIDEOS}?channel_id={_CHANNEL}"],
    "https://m.youtube.com/user/Some%20One": [f"{_VIDEOS}?user=Some%20One"],
    "https://www.youtube.com/playlist?list=PL1": [f"{_VIDEOS}?playlist_id=PL1"],
    "https://www.youtube.com/watch?v=a&list=PL1": [f"{_VIDEOS}?playlist_id=PL1"],
    "https://www.youtube.com/@handle": [],
    "https://www.youtube.com/c/Name": [],
    "https://www.youtube.com/shorts/abc": [],
    "https://youtu.be/abc?list=PL1": [f"{_VIDEOS}?playlist_id=PL1"],
    "https://music.youtube.com/playlist?list=OLAK5uy_x": [f"{_VIDEOS}?playlist_id=OLAK5uy_x"],
    "https://www.youtube.com/live/abc?list=PL1": [f"{_VIDEOS}?playlist_id=PL1"],
    "https://www.youtube.com/watch?v=a&list=RDa": [],
    "https://www.youtube.com/playlist?list=WL": [],
    f"{_VIDEOS}?channel_id={_CHANNEL}": [],
    "https://www.youtube.com/channel/short": [],
    "https://vimeo.com/someone": ["https://vimeo.com/someone/videos/rss"],
    "https://vimeo.com/channels/staff": ["https://vimeo.com/channels/staff/videos/rss"],
    "https://vimeo.com/123456": [],
    "https://vimeo.com/showcase/123456": [],
    "https://www.dailymotion.com/fr/someone": ["https://www.dailymotion.com/rss/user/someone"],
    "https://www.dailymotion.com/user/someone/1": ["https://www.dailymotion.com/rss/user/someone"],
    "https://www.dailymotion.com/playlist/x7vjjm": [
        "https://www.dailymotion.com/rss/playlist/x7vjjm"
    ],
    "https://www.dailymotion.com/video/x1": [],
    "https://odysee.com/@some:1/a-video:2": ["https://odysee.com/$/rss/@some:1"],
    "https://odysee.com/$/discover": [],
    "https://me.hashnode.dev/a-post": ["https://me.hashnode.dev/rss.xml"],
    "https://hashnode.com/@me": [],
    "https://pinboard.in/u:me/t:a b/": ["https://feeds.pinboard.in/rss/u:me/t:a%20b/"],
    "https://pinboard.in/popular/": ["https://feeds.pinboard.in/rss/popular/"],
    "https://pinboard.in/howto/": [],
    "https://old.reddit.com/r/python/": ["https://www.reddit.com/r/python/.rss"],
    "https://www.reddit.com/": ["https://www.reddit.com/.rss"],
    "https://www.reddit.com/r/a+b/top/?t=week&utm_source=x": [
        "https://www.reddit.com/r/a%2Bb/top/.rss?t=week"
    ],
    "https://www.reddit.com/user/me/m/multi": ["https://www.reddit.com/user/me/m/multi/.rss"],
    "https://www.reddit.com/search?q=feed+reader": [
        "https://www.reddit.com/search/.rss?q=feed+reader"
    ],
    "https://www.reddit.com/r/a/comments/1/title/": [
        "https://www.reddit.com/r/a/comments/1/title/.rss"
    ],
    "https://np.reddit.com/comments/1abc/": ["https://www.reddit.com/comments/1abc/.rss"],
    "https://redd.it/1abc": ["https://www.reddit.com/comments/1abc/.rss"],
    "https://www.reddit.com/r/python.json": ["https://www.reddit.com/r/python/.rss"],
    "https://www.reddit.com/r/python/new/.json?sort=new": [
        "https://www.reddit.com/r/python/new/.rss?sort=new"
    ],
    "https://www.reddit.com/r/python/wiki/index": ["https://www.reddit.com/r/python/.rss"],
    "https://www.reddit.com/r/python/s/AbCd": ["https://www.reddit.com/r/python/.rss"],
    "https://www.reddit.com/domain/a.example/": ["https://www.reddit.com/domain/a.example/.rss"],
    "https://www.reddit.com/r/python.rss?limit=9": [],
    "https://www.reddit.com/r/": [],
    "https://www.reddit.com/settings/": [],
    "https://www.reddit.com/r/python/.rss": [],
    "https://github.com/octocat": ["https://github.com/octocat.atom"],
    "https://github.com/o/r.git": [
        "https://github.com/o/r/releases.atom",
        "https://github.com/o/r/commits.atom",
        "https://github.com/o/r/tags.atom",
    ],
    "https://github.com/o/r/tags": [
        "https://github.com/o/r/tags.atom",
        "https://github.com/o/r/releases.atom",
        "https://github.com/o/r/commits.atom",
    ],
    "https://github.com/o/r/tree/next/x": [
        "https://github.com/o/r/commits/next/x.atom",
        "https://github.com/o/r/releases.atom",
        "https://github.com/o/r/commits.atom",
        "https://github.com/o/r/tags.atom",
    ],
    "https://github.com/features/actions": [],
    "https://github.com/o/r/blob/main/a/b.md": [
        "https://github.com/o/r/commits/main/a/b.md.atom",
        "https://github.com/o/r/releases.atom",
        "https://github.com/o/r/commits.atom",
        "https://github.com/o/r/tags.atom",
    ],
    "https://github.com/o/r/discussions/categories/news": [
        "https://github.com/o/r/discussions/categories/news.atom",
        "https://github.com/o/r/discussions.atom",
        "https://github.com/o/r/releases.atom",
        "https://github.com/o/r/commits.atom",
        "https://github.com/o/r/tags.atom",
    ],
    "https://github.com/orgs/python/repositories": ["https://github.com/python.atom"],
    "https://github.com/orgs/python/discussions": [
        "https://github.com/orgs/python/discussions.atom",
        "https://github.com/python.atom",
    ],
    "https://github.com/orgs/": [],
    "https://github.com/advisories": [],
    "https://gist.github.com/0123456789abcdef0123456789abcdef": [],
    "https://gist.github.com/octocat/0123456789abcdef0123": ["https://gist.github.com/octocat.atom"],
    "https://gist.github.com/octocat": ["https://gist.github.com/octocat.atom"],
    "https://gitlab.com/groups/g/-/issues": ["https://gitlab.com/g.atom"],
    "https://www.reddit.com/de/r/python/": ["https://www.reddit.com/r/python/.rss"],
    "https://m.reddit.com/r/python/.compact": ["https://www.reddit.com/r/python/.rss"],
    "https://link.medium.com/abc": [],
    "https://medium.com/u/abc": [],
    "https://at.tumblr.com/staff/abc": ["https://staff.tumblr.com/rss"],
    "https://gitlab.com/g/sub/p/-/issues": [
        "https://gitlab.com/g/sub/p/-/issues.atom",
        "https://gitlab.com/g/sub/p/-/releases.atom",
        "https://gitlab.com/g/sub/p/-/tags?format=atom",
        "https://gitlab.com/g/sub/p/-/commits/HEAD?format=atom",
        "https://gitlab.com/g/sub/p.atom",
    ],
    "https://gitlab.freedesktop.org/someone": ["https://gitlab.freedesktop.org/someone.atom"],
    "https://gitlab.com/explore": [],
    "https://gitlab.com/g/p/-/commits/main/src/x.py": [
        "https://gitlab.com/g/p/-/commits/main/src/x.py?format=atom",
        "https://gitlab.com/g/p/-/releases.atom",
        "https://gitlab.com/g/p/-/tags?format=atom",
        "https://gitlab.com/g/p/-/commits/HEAD?format=atom",
        "https://gitlab.com/g/p.atom",
    ],
    "https://gitlab.com/g/p/-/tree/fix/it": [
        "https://gitlab.com/g/p/-/commits/fix/it?format=atom",
        "https://gitlab.com/g/p/-/releases.atom",
        "https://gitlab.com/g/p/-/tags?format=atom",
        "https://gitlab.com/g/p/-/commits/HEAD?format=atom",
        "https://gitlab.com/g/p.atom",
    ],
    "https://gitlab.com/g/p/-/tags": [
        "https://gitlab.com/g/p/-/tags?format=atom",
        "https://gitlab.com/g/p/-/releases.atom",
        "https://gitlab.com/g/p/-/commits/HEAD?format=atom",
        "https://gitlab.com/g/p.atom",
    ],
    "https://codeberg.org/o/r/issues": [
        "https://codeberg.org/o/r/releases.rss",
        "https://codeberg.org/o/r/tags.rss",
        "https://codeberg.org/o/r.rss",
    ],
    "https://codeberg.org/o": ["https://codeberg.org/o.rss"],
    "https://codeberg.org/explore/repos": [],
    "https://git.sr.ht/~me/r": [
        "https://git.sr.ht/~me/r/refs/rss.xml",
        "https://git.sr.ht/~me/r/log/rss.xml",
    ],
    "https://mastodon.social/@me": ["https://mastodon.social/@me.rss"],
    "https://mastodon.social/@me@home.example/123": ["https://home.example/@me.rss"],
    "https://mastodon.social/tags/news": [],
    "https://mastodon.social/@me.rss": [],
    "https://mastodon.social/users/me": ["https://mastodon.social/@me.rss"],
    "https://mastodon.social/users/me/statuses/1": ["https://mastodon.social/@me.rss"],
    "https://forum.example/users/sign_in": [],
    "https://forum.example/users/7": [],
    "https://forum.example/users/me/badges": [],
    "https://mastodon.social/@me/tagged/cats": [
        "https://mastodon.social/@me/tagged/cats.rss",
        "https://mastodon.social/@me.rss",
    ],
    "https://mastodon.social/@me/media": [
        "https://mastodon.social/@me/media.rss",
        "https://mastodon.social/@me.rss",
    ],
    "https://mastodon.social/web/@me": ["https://mastodon.social/@me.rss"],
    "https://mastodon.social/deck/@me@home.example": ["https://home.example/@me.rss"],
    "https://bsky.app/profile/me.bsky.social/post/1": ["https://bsky.app/profile/me.bsky.social/rss"],
    "https://bsky.app/profile/@me.bsky.social": ["https://bsky.app/profile/me.bsky.social/rss"],
    "https://bsky.app/profile/did:plc:abc": ["https://bsky.app/profile/did:plc:abc/rss"],
    "https://lemmy.world/c/news@lemmy.ml": ["https://lemmy.world/feeds/c/news@lemmy.ml.xml?sort=New"],
    "https://lemmy.world/u/me": ["https://lemmy.world/feeds/u/me.xml?sort=New"],
    "https://beehaw.org/": [
        "https://beehaw.org/feeds/local.xml?sort=New",
        "https://beehaw.org/feeds/all.xml?sort=New",
    ],
    "https://medium.com/@me": ["https://medium.com/feed/@me"],
    "https://medium.com/pub/tagged/x": [
        "https://medium.com/feed/pub/tagged/x",
        "https://medium.com/feed/pub",
    ],
    "https://medium.com/tag/x": ["https://medium.com/feed/tag/x"],
    "https://medium.com/topic/x": ["https://medium.com/feed/tag/x"],
    "https://medium.com/topics": [],
    "https://me.medium.com/post-1": ["https://me.medium.com/feed"],
    "https://medium.com/search?q=x": [],
    "https://me.substack.com/p/post": ["https://me.substack.com/feed"],
    "https://substack.com/@Me": ["https://me.substack.com/feed"],
    "https://substack.com/@me/note/c-1": ["https://me.substack.com/feed"],
    "https://substack.com/profile/123-me": ["https://me.substack.com/feed"],
    "https://substack.com/home/post/p-1": [],
    "https://open.substack.com/pub/me/p/post?utm_source=share": ["https://me.substack.com/feed"],
    "https://open.substack.com/": [],
    "https://me.tumblr.com/tagged/x": ["https://me.tumblr.com/tagged/x/rss", "https://me.tumblr.com/rss"],
    "https://www.tumblr.com/some-one": ["https://some-one.tumblr.com/rss"],
    "https://www.tumblr.com/blog/some-one": ["https://some-one.tumblr.com/rss"],
    "https://www.tumblr.com/explore": [],
    "https://www.tumblr.com/blog/view/some-one/123": ["https://some-one.tumblr.com/rss"],
    "https://www.tumblr.com/dashboard/blog/some-one": ["https://some-one.tumblr.com/rss"],
    "https://www.tumblr.com/dashboard": [],
    "https://me.wordpress.com/category/x/": [
        "https://me.wordpress.com/category/x/feed/",
        "https://me.wordpress.com/feed/",
    ],
    "https://wordpress.com/": [],
    "https://me.blogspot.co.uk/search/label/A%20b": [
        "https://me.blogspot.co.uk/feeds/posts/default/-/A%20b",
        "https://me.blogspot.co.uk/feeds/posts/default",
    ],
    "https://stackoverflow.com/questions/tagged/python+rss": [
        "https://stackoverflow.com/feeds/tag?tagnames=python+rss&sort=newest"
    ],
    "https://stackoverflow.com/questions/1/title": ["https://stackoverflow.com/feeds/question/1"],
    "https://unix.stackexchange.com/users/7/me": ["https://unix.stackexchange.com/feeds/user/7"],
    "https://stackoverflow.com/tags/python/info": [
        "https://stackoverflow.com/feeds/tag?tagnames=python&sort=newest"
    ],
    "https://stackexchange.com/": ["https://stackexchange.com/feeds/questions"],
    "https://stackexchange.com/sites": [],
    "https://unix.stackexchange.com/": ["https://unix.stackexchange.com/feeds"],
    "https://news.ycombinator.com/news": ["https://news.ycombinator.com/rss"],
    "https://news.ycombinator.com/item?id=1": [],
    "https://lobste.rs/t/python": ["https://lobste.rs/t/python.rss"],
    "https://lobste.rs/": ["https://lobste.rs/rss"],
    "https://lobste.rs/newest": ["https://lobste.rs/newest.rss"],
    "https://pypi.org/project/lxml/#files": ["https://pypi.org/rss/project/lxml/releases.xml"],
    "https://pypi.org/": ["https://pypi.org/rss/updates.xml", "https://pypi.org/rss/packages.xml"],
    "https://www.flickr.com/photos/1@N02/": [f"{_FLICKR}/photos_public.gne?id=1@N02"],
    "https://www.flickr.com/groups/1@N23/pool": [f"{_FLICKR}/groups_pool.gne?id=1@N23"],
    "https://www.flickr.com/photos/tags/sky": [f"{_FLICKR}/photos_public.gne?tags=sky"],
    "https://letterboxd.com/me/films/": ["https://letterboxd.com/me/rss/"],
    "https://letterboxd.com/film/metropolis/": [],
    "https://letterboxd.com/me/rss/": [],
    "https://www.goodreads.com/review/list/7-me?shelf=to-read": [
        "https://www.goodreads.com/review/list_rss/7?shelf=to-read"
    ],
    "https://www.goodreads.com/user/show/7": [
        "https://www.goodreads.com/user/updates_rss/7",
        "https://www.goodreads.com/review/list_rss/7",
    ],
    "https://www.goodreads.com/book/show/7": [],
    "https://www.royalroad.com/fiction/25137/x/chapter/1/y": [
        "https://www.royalroad.com/fiction/syndication/25137"
    ],
    "https://store.steampowered.com/app/440/Name/": [
        "https://store.steampowered.com/feeds/news/app/440/"
    ],
    "https://arxiv.org/list/cs.AI/recent": ["https://rss.arxiv.org/rss/cs.AI"],
    "https://dev.to/me": ["https://dev.to/feed/me"],
    "https://dev.to/t/python": ["https://dev.to/feed/tag/python"],
    "https://anything.example/path": [],
    "https://notgithub.com/o/r": [],
    "https://github.com.evil.example/o/r": [],
    "ftp://github.com/o": [],
    "https://[::1/": [],
    "": [],
}  # fmt: skip


@pytest.mark.parametrize(("url", "expected"), _ADDRESSES.items(), ids=_ADDRESSES)
def test_feeds_are_known_from_the_address(url: str, expected: list[str]) -> None:
    """Each site's shapes of addresses lead to its feeds; lookalikes lead nowhere."""
    assert expected == [candidate.url for candidate in discovery.from_address(url)]


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/feeds/videos.xml?playlist_id=PLx&list=PLy",
        "https://old.reddit.com/r/python/.xml",
        "https://www.reddit.com/r/python/new.rss",
        "https://github.com/o/r/commits/main.atom",
        "https://github.com/o/r/raw/main/feed.xml",
        "https://github.com/me.private.atom?token=x",
        "https://gitlab.com/g/p/-/tags?format=atom",
        "https://gitlab.com/g/p/-/issues.atom",
        "https://mastodon.social/@me/tagged/x.rss",
        "https://bsky.app/profile/me.example/rss",
        "https://medium.com/feed/@me",
        "https://me.substack.com/feed/podcast",
        "https://api.substack.com/feed/podcast/1.rss",
        "https://me.tumblr.com/tagged/x/rss",
        "https://me.wordpress.com/?feed=rss2",
        "https://me.wordpress.com/category/x/feed/",
        "https://me.blogspot.com/atom.xml",
        "https://me.blogspot.com/feeds/posts/default?alt=rss",
        "https://stackoverflow.com/feeds/tag/python",
        "https://vimeo.com/me/likes/rss",
        "https://itunes.apple.com/us/rss/topsongs/xml",
        "https://feeds.soundcloud.com/users/soundcloud:users:2/sounds.rss",
    ],
)
def test_no_feed_is_taken_for_another_one_of_its_site(url: str) -> None:
    """An address that is a feed is asked itself, before anything that is known of its site."""
    assert url == discovery.to_ask(url)[0]


def test_a_page_is_asked_after_the_feeds_that_its_address_tells() -> None:
    """A subreddit called "rss" is asked first, as nobody knows; its feed is asked all the same."""
    bluesky = "https://bsky.app/profile/me.example"
    assert (f"{bluesky}/rss", bluesky) == discovery.to_ask(bluesky)

    subreddit = "https://www.reddit.com/r/rss/"
    assert (subreddit, f"{subreddit}.rss") == discovery.to_ask(subreddit)


def test_tags_of_any_host_are_guessed_behind_its_page() -> None:
    """Blogs have /tags/name, too, so that Mastodon's feed of a tag is not asked for before."""
    found = discovery.candidates(b"<p>", url="https://mastodon.social/tags/news")

    assert ["https://mastodon.social/tags/news.rss"] == [each.url for each in found]


# A page, its address, and the feeds that its site's rule reads out of it.
_PAGES = {
    "youtube_by_identifier": (
        "https://www.youtube.com/@me",
        f'"channelId":"UC{"o" * 22}" <meta itemprop=identifier content={_CHANNEL}>',
        [f"{_VIDEOS}?channel_id={_CHANNEL}"],
    ),
    "youtube_by_canonical": (
        "https://www.youtube.com/c/me",
        f"<link rel=canonical href=https://www.youtube.com/channel/{_CHANNEL}>",
        [f"{_VIDEOS}?channel_id={_CHANNEL}"],
    ),
    "youtube_by_source": (
        "https://www.youtube.com/@me",
        f'<script>{{"browseId":"UC{"o" * 22}","externalId":"{_CHANNEL}"}}</script>',
        [f"{_VIDEOS}?channel_id={_CHANNEL}"],
    ),
    "youtube_without_a_channel": ("https://www.youtube.com/", "<p>", []),
    "apple_podcasts": (
        "https://podcasts.apple.com/us/podcast/x/id1",
        r'<script>{"feedUrl":"https:\/\/a.example\/feed?x=1\u0026y"}</script>',
        ["https://a.example/feed?x=1&y"],
    ),
    "apple_podcasts_broken": (
        "https://podcasts.apple.com/us/podcast/x/id1",
        r'{"feedUrl":"https:\x"}',
        [],
    ),
    "soundcloud": (
        "https://soundcloud.com/me",
        "<meta property=al:ios:url content=soundcloud://users:42>",
        ["https://feeds.soundcloud.com/users/soundcloud:users:42/sounds.rss"],
    ),
    "peertube_channel": (
        "https://tube.example/c/harbour/videos",
        "<meta property=og:platform content=PeerTube>",
        [
            "https://tube.example/feeds/videos.xml?videoChannelName=harbour",
            "https://tube.example/feeds/videos.xml",
        ],
    ),
    "peertube_account": (
        "https://tube.example/a/ann@other.example",
        "<script>window.PeerTubeServerConfig = 1</script>",
        [
            "https://tube.example/feeds/videos.xml?accountName=ann@other.example",
            "https://tube.example/feeds/videos.xml",
        ],
    ),
    "hashnode_under_a_name_of_its_own": (
        "https://blog.example/a-post",
        "<meta name=generator content=Hashnode>",
        ["https://blog.example/rss.xml"],
    ),
    "flickr": (
        "https://www.flickr.com/photos/me/",
        '{"nsid":"7@N02"}',
        [f"{_FLICKR}/photos_public.gne?id=7@N02"],
    ),
    "wordpress_in_a_folder": (
        "https://a.example/blog/2026/post",
        "<link rel=https://api.w.org/ href=https://a.example/blog/wp-json/>",
        ["https://a.example/blog/feed/"],
    ),
    "wordpress_of_another_host": (
        "https://a.example/",
        "<link rel=https://api.w.org/ href=https://b.example/wp-json/>",
        [],
    ),
    "wordpress_tag": (
        "https://a.example/tag/x",
        "<meta name=generator content='WordPress 6.9'>",
        ["https://a.example/tag/x/feed/", "https://a.example/feed/"],
    ),
    "ghost": (
        "https://a.example/author/me/",
        "<meta name=generator content='Ghost 6.0'>",
        ["https://a.example/author/me/rss/", "https://a.example/rss/"],
    ),
    "blogger": (
        "https://a.example/2026/11/x",
        "<meta name=generator content=blogger>",
        ["https://a.example/feeds/posts/default"],
    ),
    "substack": (
        "https://a.example/p/x",
        "<link href=https://substackcdn.com/a.css><a href=https://substack.com/app-link/post>",
        ["https://a.example/feed"],
    ),
    "tumblr": (
        "https://a.example/",
        "<meta property=al:ios:url content='tumblr://x-callback-url/blog?blogName=me'>",
        ["https://a.example/rss"],
    ),
    "gitlab": (
        "https://code.example/me",
        "<meta property=og:site_name content=GitLab>",
        ["https://code.example/me.atom"],
    ),
    "forgejo": (
        "https://code.example/me",
        "<meta name=keywords content='git,forge,forgejo'>",
        ["https://code.example/me.rss"],
    ),
    "discourse": (
        "https://a.example/c/news/5",
        "<meta name=generator content='Discourse 3.5'>",
        [
            "https://a.example/c/news/5.rss",
            "https://a.example/latest.rss",
            "https://a.example/posts.rss",
        ],
    ),
    "lemmy": (
        "https://a.example/c/news",
        "<script>window.isoData = {}</script>",
        ["https://a.example/feeds/c/news.xml?sort=New"],
    ),
    "mediawiki": (
        "https://a.example/wiki/Main",
        "<meta name=generator content='MediaWiki 1.45'><link rel=edit href='/w/?title=Main'>",
        [
            "https://a.example/w/?title=Main&action=history&feed=atom",
            "https://a.example/w/?title=Special%3ARecentChanges&feed=atom",
        ],
    ),
    "mediawiki_without_an_edit_link": (
        "https://a.example/wiki/Main",
        "<meta name=generator content='MediaWiki 1.45'>",
        [],
    ),
}


@pytest.mark.parametrize(("url", "html", "expected"), _PAGES.values(), ids=_PAGES)
def test_feeds_are_read_out_of_the_page(url: str, html: str, expected: list[str]) -> None:
    """What the address does not tell, the page does."""
    found = discovery.candidates(html.encode(), url=url)

    assert expected == [each.url for each in found if each.origin == "site rule"]


def test_an_address_is_taken_apart_once() -> None:
    """Host without www, decoded parts, the first of equal parameters, origin with its port."""
    address = Address.of("https://WWW.A.example:8443/x%2Fy//z?q=1&q=2#f")

    assert address is not None
    assert "a.example" == address.host
    assert ("x/y", "z") == address.parts
    assert {"q": "1"} == address.query
    assert "https://www.a.example:8443/p" == address.at("/p")
    assert (True, False) == (address.under("example"), address.under("ample"))


def test_names_from_addresses_cannot_leave_their_segment() -> None:
    """A slash or a question mark that was encoded stays encoded in the feed's address."""
    found = discovery.from_address("https://github.com/a%2Fb%3Fc")

    assert ["https://github.com/a%2Fb%3Fc.atom"] == [candidate.url for candidate in found]


def test_every_module_is_named_in_a_tuple() -> None:
    """A rule that nobody calls would be a silent loss."""
    rules = (
        *sites.HOST_RULES,
        *sites.SHAPE_RULES,
        *sites.HOST_PAGE_RULES,
        *sites.SOFTWARE_PAGE_RULES,
    )
    named = {(rule.__module__, rule.__name__) for rule in rules}
    written = {
        (module.__name__, name)
        for module in vars(sites).values()
        if getattr(module, "__name__", "").startswith(sites.__name__ + ".")
        for name in ("from_address", "from_page")
        if hasattr(module, name)
    }

    assert written == named
