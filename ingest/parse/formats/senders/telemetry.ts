import { isRecord, type JsonRecord, type RecordFormat } from '../text/reading'
import { type FlatNames, readFlat } from './flat'

const names: FlatNames = {
  ts: ['timestamp', '@timestamp', 'time'],
  ip: [
    'client.address',
    'client.ip',
    'source.address',
    'source.ip',
    'http.client_ip',
    'net.sock.peer.addr',
    'net.peer.ip',
    'network.peer.address',
  ],
  method: ['http.request.method', 'http.method'],
  target: ['url.original', 'url.path', 'http.target', 'url.full', 'http.url'],
  host: ['url.domain', 'server.address', 'http.host', 'http.server_name', 'net.host.name'],
  ua: ['user_agent.original', 'http.user_agent', 'http.request.header.user-agent'],
  referer: ['http.request.referrer', 'http.request.header.referer'],
  status: ['http.response.status_code', 'http.status_code'],
  id: ['log.record.uid', 'http.request.id', 'event.id'],
}
const forwardedNames = ['http.request.header.x-forwarded-for', 'http.request.header.x_forwarded_for']
const all = [...new Set(Object.values(names).flat())].filter((name) => typeof name === 'string')

/**
 * Requests with the field names of OpenTelemetry and of the Elastic Common Schema (Logstash, Beats), as dotted
 * names or as objects in objects.
 */
export const telemetry: RecordFormat = {
  // Most records have none of these, and looking for a dotted name costs more.
  knows: (record) =>
    ('user_agent' in record || 'http' in record || names.ua.some((name) => name in record)) &&
    names.ua.some((name) => has(record, name)) &&
    names.target.some((name) => has(record, name)),
  read: (record, now) => readFlat(flatOf(record), { ...names, isOpen: true }, now),
}

const has = (record: JsonRecord, name: string) => valueAt(record, name) !== undefined

function flatOf(record: JsonRecord): JsonRecord {
  const flat: Record<string, unknown> = {}
  for (const name of all) flat[name] = valueAt(record, name)
  for (const name of forwardedNames) flat.forwarded_for ??= valueAt(record, name)
  return flat
}

/** Returns the value of a dotted name: of the whole name, or of its parts in objects in objects. */
function valueAt(record: JsonRecord, name: string): unknown {
  if (name in record) return record[name]
  const dot = name.indexOf('.')
  const inner = dot === -1 ? undefined : record[name.slice(0, dot)]
  return isRecord(inner) ? valueAt(inner, name.slice(dot + 1)) : undefined
}

const grokNames: FlatNames = {
  ts: ['timestamp', '@timestamp'],
  ip: ['clientip'],
  method: ['verb'],
  target: ['request'],
  request: ['rawrequest'],
  isOpen: true,
  ua: ['agent'],
  referer: ['referrer'],
  status: ['response'],
  id: ['request_id'],
}

/** Lines that Logstash took apart with `COMBINEDAPACHELOG` and its older field names. */
export const grok: RecordFormat = {
  knows: (record) =>
    'clientip' in record && 'agent' in record && ('verb' in record || 'rawrequest' in record),
  read: (record, now) => readFlat(unquoted(record), grokNames, now),
}

/** Older versions keep the quotes around the referrer and the user agent. */
function unquoted(record: JsonRecord): JsonRecord {
  const bare = (value: unknown) =>
    typeof value === 'string' && value.startsWith('"') ? value.replaceAll('"', '') : value
  return { ...record, agent: bare(record.agent), referrer: bare(record.referrer) }
}
