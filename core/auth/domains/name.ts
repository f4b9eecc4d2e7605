import { domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { Refusal } from '../../contracts/errors'
import { isLoopback } from '../../requests/host'
import { looksLike, mixesScripts } from './look-alike'

const labelForm = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * Returns a typed host name in ASCII and lower case. Takes the host from a pasted URL. Throws if it cannot be
 * a white-label domain. `own` are the hosts of the installation.
 */
export function readDomain(typed: string, own: readonly string[]): string {
  const text = typed.trim().replace(/\.$/, '')
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isBare || url.username !== '' || url.port !== '')
    throw fault('a host name such as reviews.example.com')
  const name = url.hostname.replace(/\.$/, '')
  const { domain, isIp } = parse(name, { allowPrivateDomains: true })
  if (isIp || isLoopback(name) || name.endsWith('.localhost'))
    throw fault('a domain name such as reviews.example.com, not an IP address or localhost')
  if (name.length > 253 || !name.split('.').every((label) => labelForm.test(label))) {
    throw fault('a host name such as reviews.example.com')
  }
  if (domain === null)
    throw fault('a name below a public suffix such as .com or .co.uk, not the suffix itself')
  if (own.includes(name)) throw fault('a name other than the hosts of this installation')
  if (mixesScripts(domainToUnicode(name))) throw fault('a name in which each label uses one script')
  if (own.some((host) => looksLike(name, host)))
    throw fault('a name that cannot be mistaken for a host of this installation')
  return name
}

const fault = (message: string) =>
  new Refusal('invalid_field', `The domain must be ${message}.`, {
    errors: [{ pointer: '/domain', code: 'invalid', message: `must be ${message}` }],
  })
