import { createSocket } from 'node:dgram'

const types = { A: 1, TXT: 16, AAAA: 28 } as const

export type DnsRecords = Record<
  string,
  Partial<Record<keyof typeof types, readonly string[]>> | 'failing' | 'silent'
>

/** A real DNS server on a UDP port of this machine; what stands in `records` when it is asked is what it answers. */
export async function startDnsServer(records: DnsRecords) {
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const answer = answerTo(query, records)
    if (answer) socket.send(answer, peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()))
  return { server: `127.0.0.1:${socket.address().port}`, stop: () => void socket.close() }
}

function answerTo(query: Buffer, records: DnsRecords): Buffer | null {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = query.readUInt16BE(at + 1)
  const known = records[labels.join('.').toLowerCase()]
  if (known === 'silent') return null
  const kind = (['A', 'TXT', 'AAAA'] as const).find((name) => types[name] === type)
  const values = typeof known === 'object' && kind ? (known[kind] ?? []) : []
  const code = known === 'failing' ? 2 : known === undefined ? 3 : 0
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(values.length, 6)
  const answers = values.map((value) => recordOf(type, dataOf(kind, value)))
  return Buffer.concat([head, query.subarray(12, at + 5), ...answers])
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function dataOf(kind: keyof typeof types | undefined, value: string): Buffer {
  if (kind === 'A') return Buffer.from(value.split('.').map(Number))
  if (kind === 'AAAA') {
    const groups = value.split(':').map((group) => Number.parseInt(group, 16))
    return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]))
  }
  const bytes = Buffer.from(value)
  const chunks: Buffer[] = []
  for (let from = 0; from < bytes.length || from === 0; from += 255) {
    const chunk = bytes.subarray(from, from + 255)
    chunks.push(Buffer.from([chunk.length]), chunk)
  }
  return Buffer.concat(chunks)
}
