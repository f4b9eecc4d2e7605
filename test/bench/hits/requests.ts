import { token } from '../../ingest/support/ingest'

const startedAt = Date.now()
/** Leads all ids of this process: a server that outlives its load would know the next one's otherwise. */
const run = `${startedAt.toString(16)}${process.pid.toString(16)}`.padStart(16, '0')
const distinctPaths = 5_000

/** With it a hit is answered 204 instead of with counts. */
export const noAnswer = 'Prefer: return=minimal\r\n'

/**
 * Makes requests of so many hits, about 330 bytes each as forwarders send them. None is made twice: the ids are written
 * into a copy of one prepared, so that a load of a hundred thousand a second costs less than what takes it.
 */
export function requestsOf(path: string, hits: number, header = ''): () => Buffer {
  const templates = Math.max(4, Math.ceil(distinctPaths / hits / 20))
  const prepared = Array.from({ length: templates }, (_, n) => prepare(path, hits, header, n))
  let serial = 0
  // No two makers of one process share their ids.
  const mine = (makers++).toString(16).padStart(4, '0')
  let turn = 0
  return () => {
    const { bytes, ids } = prepared[turn++ % templates] as Prepared
    const request = Buffer.from(bytes)
    for (const at of ids) request.write(mine + (serial++).toString(16).padStart(12, '0'), at, 'latin1')
    return request
  }
}
let makers = 0

interface Prepared {
  readonly bytes: Buffer
  /** Where the ids begin. */
  readonly ids: readonly number[]
}

function prepare(path: string, hits: number, header: string, n: number): Prepared {
  const body = Array.from({ length: hits }, (_, at) => line(n * hits + at)).join('\n')
  const bytes = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${header}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const ids: number[] = []
  for (let at = bytes.indexOf(run); at >= 0; at = bytes.indexOf(run, at + run.length)) {
    ids.push(at + run.length)
  }
  return { bytes, ids }
}

const line = (n: number) =>
  `{"ts":${startedAt},"ip":"20.42.10.${n % 256}","method":"GET","path":"/articles/${n % distinctPaths}","status":200,` +
  `"ua":"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",` +
  `"referer":"","id":"${run}${'0'.repeat(16)}"}`
