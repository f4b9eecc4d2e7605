import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on a free port whose connections can be cut and mended. */
export function cuttableProxy(host: string, port: number) {
  let whole = true
  const open = new Set<Socket>()
  const server = createServer((inside) => {
    if (!whole) {
      inside.destroy()
      return
    }
    const outside = connect(port, host)
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      open.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  const cut = () => {
    whole = false
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => {
      whole = true
    },
    stop: () => {
      cut()
      server.close()
    },
  }
}
