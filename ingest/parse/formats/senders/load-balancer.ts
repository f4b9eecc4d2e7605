import { withoutPort } from '../text/client'
import { quoted } from '../text/quoted'
import { badTime, noRequest, type ParsedHit, requestLine, statusOf } from '../text/reading'
import { instantOf } from '../text/time'

const types = ['http ', 'https ', 'h2 ', 'grpcs ', 'ws ', 'wss ']
/** Words before the request, without the type. */
const wordsBefore = 11
const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z$/

/**
 * Reads a line of an AWS load balancer: `type time name client:port target:port … status … "request" "agent"`.
 * A Classic Load Balancer writes no type. Returns null for any other line.
 */
export function readLoadBalancer(line: string): ParsedHit | null {
  const start = typeLength(line)
  if (start === -1) return null
  const quote = line.indexOf('"', start)
  const words = quote === -1 ? [] : line.slice(start, quote).split(' ', wordsBefore + 2)
  const [time = '', , client = '', , , , , status = ''] = words
  if (words.length !== wordsBefore + 1 || words.at(-1) !== '' || !isInstant.test(time)) return null
  if (!/^(?:\d{3}|-)$/.test(status)) return null
  const ts = instantOf(time)
  if (ts === null) return badTime
  const isEscaped = line.includes('\\')
  const first = quoted(line, quote + 1, isEscaped)
  if (!first) return null
  // A request that the load balancer could not read is `- http://name:port- `.
  const request = requestLine(first.text)
  if (!request) return noRequest
  const agent = quoted(line, first.end + 3, isEscaped)
  return {
    ts,
    ip: client === '-' ? null : withoutPort(client),
    method: request.method,
    target: request.target,
    ua: agent?.text ?? '',
    status: statusOf(status),
    id: idOf(time, client, agent ? line.slice(agent.end + 1) : ''),
  }
}

/** Returns the length of the type, 0 if the line begins with a time, and -1 if it is another line. */
function typeLength(line: string): number {
  const code = line.charCodeAt(0)
  if (code === 50) return line.charCodeAt(10) === 84 ? 0 : -1
  if (code !== 104 && code !== 119 && code !== 103) return -1
  return types.find((type) => line.startsWith(type))?.length ?? -1
}

/** The time in microseconds, the port of the client and the trace are together unique. */
function idOf(time: string, client: string, rest: string): string {
  const trace = rest.indexOf('"')
  const end = trace === -1 ? -1 : rest.indexOf('"', trace + 1)
  const port = client.slice(client.lastIndexOf(':') + 1)
  return `${time} ${port} ${end === -1 ? '' : rest.slice(trace + 1, Math.min(end, trace + 129))}`
}
