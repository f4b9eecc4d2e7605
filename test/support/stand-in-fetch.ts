import type { SafeFetch } from '../../core/contracts/outbound'
import { isServiceFault } from '../../core/contracts/service-fault'
import { readBody } from '../../core/outbound/body'
import { outboundFault } from '../../core/outbound/fault'

/** `safeFetch` with the answers of a stand-in. Redirects lead nowhere, and bodies are limited as in the product. */
export const standInFetch =
  (fetch: (url: string, init: RequestInit) => Promise<Response>): SafeFetch =>
  async (url, { maxBytes, accept, headers = {}, method = 'GET' }) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(accept ? { accept } : {}) },
    }).catch((error: unknown) => {
      throw isServiceFault(error) ? error : outboundFault('unreachable', 'The host could not be reached.')
    })
    if (response.status > 300 && response.status < 304)
      throw outboundFault('unresolvable', 'The host has no address.')
    return {
      status: response.status,
      headers: response.headers,
      body: await readBody(response, maxBytes),
      url,
    }
  }
