import type { ReadSocket, SocketEnd } from '../../contracts/outbound'
import { outboundFault } from '../fault'
import { pinned, type SafeFetchDeps, tlsOf } from './safe-fetch'
import { targetOf } from './target'

/**
 * Creates the function that reads messages from a WebSocket, with the rules of `createSafeFetch`: only public IP addresses,
 * and the connection uses one that was checked.
 */
export function createReadSocket(deps: Omit<SafeFetchDeps, 'log'>): ReadSocket {
  return async (address, options, onMessage) => {
    const limit = AbortSignal.timeout(options.timeoutMs)
    const { url, addresses } = await targetOf(address.replace(/^ws/, 'http'), deps, {}, limit)
    // The caller can stop while the name is looked up.
    options.signal.throwIfAborted()
    const at = pinned(url, addresses[0] ?? '').replace(/^http/, 'ws')
    const socket = new WebSocket(at, {
      headers: { host: url.host, 'user-agent': 'Renown' },
      perMessageDeflate: false,
      tls: tlsOf(url, deps.ca),
    })
    return readMessages(socket, { ...options, limit }, onMessage)
  }
}

type Limits = Parameters<ReadSocket>[1] & { readonly limit: AbortSignal }

function readMessages(
  socket: WebSocket,
  { messageBytesMax, bytesMax, idleMs, limit, signal }: Limits,
  onMessage: Parameters<ReadSocket>[2],
): Promise<SocketEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<SocketEnd>()
  let isOpen = false
  let isOver = false
  let bytes = 0
  let idle: Timer | undefined
  const close = (settle: () => void) => {
    if (isOver) return
    isOver = true
    clearTimeout(idle)
    socket.terminate()
    settle()
  }
  const end = (why: SocketEnd) => close(() => resolve(why))
  const fail = (error: unknown) => close(() => reject(error))
  const wait = () => {
    clearTimeout(idle)
    idle = setTimeout(() => end('idle'), idleMs)
  }
  socket.onopen = () => {
    isOpen = true
    wait()
  }
  socket.onmessage = ({ data }) => {
    if (isOver) return
    if (typeof data !== 'string')
      return fail(outboundFault('malformed', 'The host sent a message that is no text.'))
    if (data.length > messageBytesMax)
      return fail(outboundFault('too_large', 'The host sent a message that is too large.'))
    wait()
    bytes += data.length
    try {
      if (!onMessage(data)) end('done')
      else if (bytes >= bytesMax) end('limit')
    } catch (error) {
      fail(error)
    }
  }
  socket.onerror = () => fail(unreachable())
  socket.onclose = () => (isOpen ? end('closed') : fail(unreachable()))
  limit.addEventListener('abort', () =>
    isOpen ? end('limit') : fail(outboundFault('timeout', 'The host did not answer in time.')),
  )
  signal.addEventListener('abort', () => fail(signal.reason))
  return promise
}

const unreachable = () => outboundFault('unreachable', 'The connection could not be made, or it broke.')
