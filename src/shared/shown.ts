/** How people and agents are shown times and ids, the same everywhere. */

/** The local day, `2026-09-24`; '' where none is known. A date alone is a day as it stands. */
export function localDay(time: string | null): string {
  if (time === null) return ''
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return time
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** With hours and minutes, where they are known. */
export function localTime(time: string | null): string {
  const day = localDay(time)
  if (time === null || day === '' || time.length === 10) return day
  const date = new Date(time)
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

const two = (n: number): string => String(n).padStart(2, '0')

/** Enough of an id to ask for it again: a UUID's first eight characters, of others sixteen. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id) ? id.slice(0, 8) : id.slice(0, 16)
}
