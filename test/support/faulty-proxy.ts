import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What a server behind the proxy seems to do: work, be killed, accept and never answer (as one that was stopped), answer late, or
 * do everything while each answer is lost.
 */
export type ServerFault = 'none' | 'killed' | 'silent' | 'slow' | 'lost'

/** A TCP proxy on a free port whose server can be made to fail. `slowMs` is how late a slow server answers. */
export function faultyProxy(host: string, port: number, slowMs: number) {
  let fault: ServerFault = 'none'
  const sockets = new Set<Socket>()
  /** What waits until the server works on, as in the buffers of a stopped process. */
  let waiting: (() => void)[] = []
  /** Passes on what one side says, in order, whenever the fault ends. */
  const passTo = (to: Socket, isAnswer: boolean) => {
    let before = Promise.resolve()
    return (chunk: Buffer) => {
      if (fault === 'lost' && isAnswer) {
        to.destroy()
        return
      }
      const gate = Promise.withResolvers<void>()
      if (fault === 'silent') waiting.push(gate.resolve)
      else if (fault === 'slow' && isAnswer) setTimeout(gate.resolve, slowMs)
      else gate.resolve()
      before = before.then(() => gate.promise).then(() => void to.write(chunk))
    }
  }
  const server = createServer((inside) => {
    if (fault === 'killed') {
      inside.destroy()
      return
    }
    const outside = connect(port, host)
    for (const [from, to, isAnswer] of [
      [inside, outside, false],
      [outside, inside, true],
    ] as const) {
      sockets.add(from)
      from.on('data', passTo(to, isAnswer))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  return {
    port: (server.address() as AddressInfo).port,
    set(next: ServerFault) {
      fault = next
      if (fault === 'killed') for (const socket of sockets) socket.destroy()
      if (fault === 'silent') return
      for (const goOn of waiting) goOn()
      waiting = []
    },
    stop() {
      fault = 'killed'
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
