import { parse } from 'tldts'
import { Refusal } from '../contracts/errors'

const labelForm = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Maximum callback hosts of an agency. */
export const callbackHostsMax = 20

/**
 * Reads callback hosts, one a line. `hooks.example.com` allows this host, `*.example.com` allows every host below
 * `example.com`, but not `example.com`. A wildcard stands for whole labels, at the beginning only.
 */
export function readCallbackHosts(text: string): string[] {
  const typed = text
    .split(/[\s,]+/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== '')
  const hosts = [...new Set(typed)].sort()
  if (hosts.length > callbackHostsMax) throw faulty(`at most ${callbackHostsMax} hosts`)
  for (const host of hosts) {
    const message = hostFault(host)
    if (message !== null) throw faulty(`${message}. “${host.slice(0, 80)}” is not`)
  }
  return hosts
}

function hostFault(host: string): string | null {
  const name = host.startsWith('*.') ? host.slice(2) : host
  const { domain, isIp } = parse(name, { allowPrivateDomains: true })
  const isName = name.length <= 253 && name.split('.').every((label) => labelForm.test(label))
  if (isIp || !isName) return 'hosts such as hooks.example.com or *.example.com'
  return domain === null ? 'hosts below a public suffix such as .com or .co.uk' : null
}

/** Whether a callback is at one of the allowed hosts. */
export function isAllowedCallback(url: string, allowed: readonly string[]): boolean {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:') return false
  const host = parsed.hostname
  return allowed.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))
}

const faulty = (message: string) =>
  new Refusal('invalid_field', `The callback hosts must be ${message}.`, {
    errors: [{ pointer: '/hosts', code: 'invalid', message: `must be ${message}` }],
  })
