const framed = /^<\d{1,3}>(.*)$/s
// RFC 3164, RFC 3164 with an ISO time, RFC 5424; a tag ends in a colon, a host does not.
const traditional =
  /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\S+) (?:\S*[^\s:] )?[^\s:]+(?:\[\d+\])?: ?(.+)$/s
const structured = /^1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+) (.+)$/s

/** The message a syslog line carries, or null where it is none. */
export function syslogMessage(line: string): string | null {
  const rest = framed.exec(line)?.[1] ?? line
  const match = (rest === line ? null : structured.exec(rest)) ?? traditional.exec(rest)
  const message = match?.[1]?.replace(/^\ufeff/, '').trim()
  return message || null
}
