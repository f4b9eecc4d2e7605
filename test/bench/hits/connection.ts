/** One kept-alive connection that carries one request at a time. */
export interface Connection {
  send(request: Uint8Array, answered: (answer: Answer) => void): void
  close(): void
}

export interface Answer {
  readonly status: number
  /** Head and body as they came. */
  text(): string
}

/** Connects to a server on this machine. Barer than `fetch`, so that the load costs less than what it measures. */
export async function connect(port: number): Promise<Connection> {
  let rest: Uint8Array = new Uint8Array()
  let waiting: ((answer: Answer) => void) | undefined
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      drain(open) {
        if (rest.length > 0) rest = rest.subarray(open.write(rest))
      },
      // The answers are far smaller than a packet.
      data(_, chunk) {
        const answered = waiting
        waiting = undefined
        answered?.({ status: Number(chunk.toString('latin1', 9, 12)), text: () => chunk.toString('latin1') })
      },
    },
  })
  return {
    send(request, answered) {
      waiting = answered
      const written = socket.write(request)
      rest = written < request.length ? request.subarray(written) : new Uint8Array()
    },
    close: () => socket.end(),
  }
}

export const connections = (port: number, count: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => connect(port)))

/** Keeps connections busy until a moment, and answers how many requests were taken. */
export async function keepBusy(
  port: number,
  count: number,
  untilMs: number,
  request: () => Uint8Array,
): Promise<number> {
  let done = 0
  const one = async (connection: Connection) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const next = () =>
      connection.send(request(), (answer) => {
        if (answer.status >= 300) return reject(new Error(answer.text()))
        done++
        if (performance.now() < untilMs) next()
        else resolve()
      })
    next()
    await promise
    connection.close()
  }
  await Promise.all((await connections(port, count)).map(one))
  return done
}
