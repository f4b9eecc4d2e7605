import { type Answer, type Connection, connections } from './connection'

export interface Offer {
  readonly port: number
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
  /** Requests that wait for a connection above this are given up, as a sender's own queue would. */
  readonly queueMax: number
  request(): Uint8Array
  /** `ms` since the moment at which the request was due, whether or not it could be sent then; `at` since the first. */
  answered(answer: Answer, ms: number, at: number): void
}

/**
 * Sends at a given rate whatever the answers do: a server that stalls is asked all the same, and every request that
 * was due meanwhile counts its wait. Answers how many were given up.
 */
export async function offer(wanted: Offer): Promise<{ readonly due: number; readonly givenUp: number }> {
  const { perSecond, seconds, queueMax, request, answered } = wanted
  const free = await connections(wanted.port, wanted.connections)
  const all = [...free]
  const queue: number[] = []
  let first = 0
  let givenUp = 0

  function send(connection: Connection, due: number) {
    connection.send(request(), (answer) => {
      const now = performance.now()
      answered(answer, now - due, now - began)
      const next = queue[first]
      if (next === undefined) free.push(connection)
      else {
        first++
        send(connection, next)
      }
    })
  }

  const began = performance.now()
  const count = perSecond * seconds
  for (let n = 0; n < count; ) {
    const due = began + (n * 1000) / perSecond
    if (performance.now() < due) {
      // A timer may be a millisecond late, which matters only while there is a connection to send by.
      if (free.length === 0) await Bun.sleep(1)
      else await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    n++
    const connection = free.pop()
    if (connection) send(connection, due)
    else if (queue.length - first < queueMax) queue.push(due)
    else givenUp++
  }
  const end = performance.now() + 2_000
  while (free.length < all.length && performance.now() < end) await Bun.sleep(5)
  for (const connection of all) connection.close()
  return { due: count, givenUp }
}
