import type { JsonRecord } from '../text/reading'

/** A line that a container runtime wrote around what a program wrote. */
export interface ContainerLine {
  readonly stream: 'stdout' | 'stderr'
  /** The time, as written. */
  readonly time: string
  /** Whether the program's line continues in the next line of the stream. */
  readonly isPart: boolean
  readonly text: string
}

const cri = /^(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::[A-Z:]{1,16})? /

/** Returns a line of the Container Runtime Interface (`<time> stdout F <text>`), or null for any other line. */
export function containerLine(line: string): ContainerLine | null {
  const found = cri.exec(line)
  if (!found) return null
  const [head, time = '', stream, tag] = found
  return { time, stream: stream as 'stdout', isPart: tag === 'P', text: line.slice(head.length) }
}

/** Docker cuts what a program writes into parts of 16 KiB. A whole line ends in a line break. */
const dockerPartBytes = 16 * 1024

/**
 * Returns a part of a line that Docker or a collector wrote as a record of its own, or the rest of a line that began
 * so. Null for any other record. `begun` has the beginnings of lines, by stream.
 */
export function partIn(
  { log, message, stream, source, time, logtag, _p, partial_message, partial_last }: JsonRecord,
  begun: Readonly<Record<ContainerLine['stream'], string>>,
): ContainerLine | null {
  const text = typeof log === 'string' ? log : message
  const name = stream ?? source
  if (typeof text !== 'string' || (name !== 'stdout' && name !== 'stderr')) return null
  const marked = isMarked(logtag ?? _p, partial_message, partial_last)
  const isPart = marked ?? (!text.endsWith('\n') && Buffer.byteLength(text) >= dockerPartBytes)
  if (!isPart && begun[name] === '') return null
  return { stream: name, time: typeof time === 'string' ? time : '', isPart, text }
}

/** Whether a record says itself that it is a part, or undefined if it does not say. */
function isMarked(tag: unknown, partial: unknown, last: unknown): boolean | undefined {
  if (tag === 'P' || tag === 'F') return tag === 'P'
  return String(partial) === 'true' ? String(last) !== 'true' : undefined
}

const prefix =
  /^(?:\[[\w./ -]{1,256}\] |[\w.-]{1,128} {1,64}\| )?(?:(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:?\d\d)) )?/

/**
 * Returns the program's line after the time or the name of the container, which `docker logs`, `docker compose
 * logs` and `kubectl logs` can write before it. Null if there is neither.
 */
export function prefixedLine(
  line: string,
): { readonly time: string | undefined; readonly text: string } | null {
  const found = prefix.exec(line)
  const length = found?.[0].length ?? 0
  return length === 0 || length >= line.length ? null : { time: found?.[1], text: line.slice(length) }
}
