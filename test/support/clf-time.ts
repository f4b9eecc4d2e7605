/** An instant as access logs write it: `20/Nov/2026:16:42:52 +0000`. */
export function clfTime(at: Date): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(at.toUTCString()) ?? []
  return `${day}/${month}/${year}:${time} +0000`
}
