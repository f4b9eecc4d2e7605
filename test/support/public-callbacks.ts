import { promises as dns } from 'node:dns'

/*
 * Preloaded into the product: names below `hooks.example.com` have a public address, and whatever is sent there is accepted. So
 * messages take the whole way of the product except the network.
 */

const address = '93.184.216.34'
const names = 'hooks.example.com'

const notFound = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
Object.assign(dns.Resolver.prototype, {
  async resolve4(name: string) {
    if (!name.endsWith(names)) throw notFound
    return [address]
  },
  async resolve6() {
    throw notFound
  },
})

const reach = globalThis.fetch
async function answer(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (!String(url).startsWith(`https://${address}/`)) return reach(url, init)
  const { challenge } = JSON.parse(String(init?.body)) as { challenge?: string }
  return challenge === undefined ? new Response() : Response.json({ challenge })
}
globalThis.fetch = Object.assign(answer, { preconnect: reach.preconnect })
