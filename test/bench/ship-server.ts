/** A receiver of the shipper that counts lines and does nothing else with them. Prints its port. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: 64 * 2 ** 20,
  fetch: async (request) => {
    const sent = new Uint8Array(await request.arrayBuffer())
    const isPacked = request.headers.get('content-encoding') === 'zstd'
    const body = isPacked ? Bun.zstdDecompressSync(sent) : Buffer.from(sent.buffer)
    let accepted = 0
    for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) accepted++
    return Response.json({ accepted, ignored: 0, rejected: 0, duplicate: 0 })
  },
})
console.log(server.port)
