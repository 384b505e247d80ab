// Times in the viewer's own zone and words. The server writes UTC.
const day = 86_400_000;
const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dateWithYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });
const long = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

export function showTimes(root) {
  const now = new Date();
  for (const element of root.querySelectorAll("time[data-when]")) {
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.valueOf())) continue;
    element.textContent = words(moment, now, element.dataset.when);
    element.title = full.format(moment);
  }
}

function words(moment, now, style) {
  if (style === "long") return long.format(moment);
  if (style === "relative") return relativeWords(moment, now);
  if (moment.toDateString() === now.toDateString()) return clock.format(moment);
  const age = now - moment;
  if (age > 0 && age < 6 * day) return weekday.format(moment);
  return (moment.getFullYear() === now.getFullYear() ? date : dateWithYear).format(moment);
}

function relativeWords(moment, now) {
  const minutes = Math.round((moment - now) / 60_000);
  if (Math.abs(minutes) < 60) return relative.format(minutes, "minute");
  if (Math.abs(minutes) < 36 * 60) return relative.format(Math.round(minutes / 60), "hour");
  return relative.format(Math.round(minutes / 1440), "day");
}
