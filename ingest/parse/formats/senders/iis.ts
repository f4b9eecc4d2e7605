import { isPublic, parseAddress } from '../../address'
import { clientIn } from '../text/client'

const orders = [
  // IIS 7 and later, IIS 8 and later with the referrer, every field, IIS 6, and App Service.
  'date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(user-agent) sc-status sc-substatus sc-win32-status time-taken',
  'date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(user-agent) cs(referer) sc-status sc-substatus sc-win32-status time-taken',
  'date time s-sitename s-computername s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs-version cs(user-agent) cs(cookie) cs(referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes cs-bytes time-taken',
  'date time s-sitename s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(user-agent) sc-status sc-substatus sc-win32-status',
  'date time s-sitename cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(user-agent) cs(cookie) cs(referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes cs-bytes time-taken',
].map((order) => order.split(' '))
const forwardedName = 'x-forwarded-for'
const known = [...orders, ...orders.map((order) => [...order, forwardedName])]

const shapes: Readonly<Record<string, RegExp>> = {
  'cs-method': /^[A-Z]{1,20}$/,
  'cs-uri-stem': /^[/*]/,
  's-port': /^\d{1,5}$/,
  'sc-status': /^\d{3}$/,
  'sc-substatus': /^\d{1,4}$/,
  'sc-win32-status': /^\d{1,10}$/,
}

/** Whether a line can be one of IIS that is not after its `#Fields`, as forwarders send it. */
export const mayBeIis = (line: string): boolean => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S/.test(line)

/** Returns the order of the fields if IIS writes exactly such values by default, otherwise null. */
export function iisOrder(values: readonly string[]): readonly string[] | null {
  return (
    known.find(
      (order) => order.length === values.length && order.every((name, at) => fits(name, values[at] ?? '')),
    ) ?? null
  )
}

function fits(name: string, value: string): boolean {
  if (name === 'c-ip' || name === 's-ip') return parseAddress(value) !== null
  return shapes[name]?.test(value) ?? value !== ''
}

/** Whether the fields of a log are those of IIS, which writes `+` for a space. */
export const isOfIis = (names: readonly string[]): boolean =>
  names.includes('sc-win32-status') || names.includes('sc-substatus') || names.includes('s-sitename')

/**
 * Returns a text of IIS with its spaces. A `+` of the text itself is not escaped. It mostly follows a space, as in
 * `; +https://`.
 */
export const spacesOfPlus = (text: string): string => text.replace(/\+(\+?)/g, ' $1')

/**
 * Returns the client of a line with a forwarding header. If the connection came from a public address, that
 * can be a CDN or a client that invented the header, so the client is unknown.
 */
export function iisClient(connection: string, forwarded: string): string | null {
  if (forwarded === '') return connection
  const address = parseAddress(connection)
  return address && isPublic(address) ? null : clientIn(spacesOfPlus(forwarded), connection)
}
