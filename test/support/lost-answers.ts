import type { SafeFetch } from '../../core/contracts/outbound'
import { isServiceFault } from '../../core/contracts/service-fault'
import { outboundFault } from '../../core/outbound/fault'
import { isUnsent } from '../../core/outbound/unsent'

/** Answers requests for addresses that people entered from the stand-in. */
export const safeFetchOf =
  (network: (request: Request) => Promise<Response>): SafeFetch =>
  async (url, { method = 'GET', headers = {}, body }) => {
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) })
    const answer = await network(request).catch((error: unknown) => {
      const delivery = isUnsent(error) ? 'unsent' : undefined
      throw isServiceFault(error) ? error : outboundFault('unreachable', 'No answer.', delivery)
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, body: bytes, url }
  }

/** Returns the ServiceFault of some work. Throws if it succeeds or fails in another way. */
export const faultOf = async (work: Promise<unknown>): Promise<Error> => {
  const fault = await work.then(
    (value) => new Error(`no fault, but ${JSON.stringify(value)}`),
    (error: Error) => error,
  )
  if (!isServiceFault(fault)) throw fault
  return fault
}

/** A connection that breaks. */
export const broken = () => Promise.reject(Object.assign(new TypeError('reset'), { code: 'ECONNRESET' }))
/** A connection that was never made. */
export const unsent = () => Promise.reject(Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' }))

/** Answers that are lost or lie after the platform has accepted the post. */
export const afterAcceptance: Readonly<Record<string, (honest: Response) => Promise<Response>>> = {
  'a connection that breaks': broken,
  'status 500': async () => new Response('{}', { status: 500 }),
  'status 502 with HTML': async () => new Response('<html>Bad Gateway</html>', { status: 502 }),
  'status 503': async () => new Response('', { status: 503 }),
  'status 504': async () => new Response('', { status: 504 }),
  'status 408': async () => new Response('', { status: 408 }),
  'a redirect': async () => new Response('', { status: 302, headers: { location: 'https://x.test/' } }),
}
