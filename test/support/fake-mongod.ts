import { type AddressInfo, createServer, type Socket } from 'node:net'
import { mongo } from 'mongoose'

type Json = Record<string, unknown>

/** What a command gets: a document, an error of the server, or no answer at all. */
export type Answer = Json | 'silence' | Promise<Json>

const { BSON } = mongo
const opReply = 1
const opQuery = 2004
const opMsg = 2013

/**
 * A server that speaks as much of MongoDB's protocol as a driver needs to know it, for faults that a real server has too seldom. Each
 * other command gets what `answer` returns.
 */
export function fakeMongod(answer: (command: Json) => Answer, setName?: string) {
  const sockets = new Set<Socket>()
  const state = { isPrimary: true, isSilent: false, connections: 0 }
  const hello = (port: number): Json => ({
    ok: 1,
    helloOk: true,
    isWritablePrimary: state.isPrimary,
    ismaster: state.isPrimary,
    secondary: !state.isPrimary,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ...(setName === undefined ? {} : { setName, hosts: [`127.0.0.1:${port}`], me: `127.0.0.1:${port}` }),
  })
  const answerTo = (command: Json, port: number): Answer => {
    if (state.isSilent) return 'silence'
    if ('hello' in command || 'ismaster' in command || 'isMaster' in command) return hello(port)
    return 'endSessions' in command ? { ok: 1 } : answer(command)
  }
  const server = createServer((socket) => {
    state.connections++
    sockets.add(socket)
    let rest = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', async (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 16 && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0))
        rest = rest.subarray(message.length)
        const { command, isQuery } = commandIn(message)
        const made = answerTo(command, (server.address() as AddressInfo).port)
        if (made !== 'silence') socket.write(reply(message.readInt32LE(4), await made, isQuery))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  return {
    port,
    uri: `mongodb://127.0.0.1:${port}/fake`,
    state,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function commandIn(message: Buffer): { command: Json; isQuery: boolean } {
  const isQuery = message.readInt32LE(12) === opQuery
  const from = isQuery ? message.indexOf(0, 20) + 9 : 21
  const body = message.subarray(from, from + message.readInt32LE(from))
  return { command: BSON.deserialize(body), isQuery }
}

function reply(to: number, document: Json, isQuery: boolean): Buffer {
  const body = Buffer.from(BSON.serialize(document))
  const head = Buffer.alloc(isQuery ? 36 : 21)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(to, 8)
  head.writeInt32LE(isQuery ? opReply : opMsg, 12)
  if (isQuery) head.writeInt32LE(1, 32)
  return Buffer.concat([head, body])
}
