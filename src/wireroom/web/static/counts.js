// Unread counts on the shelf: by feed from the server, for folders and in total added up here.
const space = "\u202f";
const title = document.title;

export function showCounts(unread, { all = false } = {}) {
  for (const count of document.querySelectorAll(".count[data-feed]")) {
    const number = unread[count.dataset.feed] ?? (all ? 0 : null);
    if (number === null) continue;
    write(count, number);
    count.closest(".feed").classList.toggle("is-quiet", number === 0);
  }
  for (const sum of document.querySelectorAll(".count[data-sum]")) write(sum, total(sum.closest(".folder")));
  write(document.querySelector(".count[data-total]"), total(document.querySelector(".feeds")));
  document.title = title;
}

function total(root) {
  let sum = 0;
  for (const count of root.querySelectorAll(".count[data-feed]")) sum += number(count);
  return sum;
}

const number = (count) => Number(count.textContent.replaceAll(space, "") || 0);

function write(count, value) {
  count.textContent = value ? String(value).replace(/\B(?=(\d{3})+$)/g, space) : "";
}
