import { expect, test } from 'bun:test'
import { claimsAtGateway } from '../../../ingest/count/claims'

const at = (answer: () => Response | Promise<Response>, timeoutMs = 5_000) => {
  const requests: Request[] = []
  const claim = claimsAtGateway({
    url: 'https://gateway.example',
    secret: 'the-secret',
    timeoutMs,
    fetch: async (url, init) => {
      requests.push(new Request(url, init))
      return answer()
    },
  })
  return { claim, requests }
}

test('the gateway is asked with the secret, and its answer is what others count', async () => {
  const { claim, requests } = at(() => Response.json({ taken: ['b'] }))
  expect(await claim('seg', ['a', 'b'])).toEqual(['b'])
  const [request] = requests
  expect([request?.method, request?.url]).toEqual(['POST', 'https://gateway.example/internal/claims'])
  expect(request?.headers.get('authorization')).toBe('Bearer the-secret')
  expect(await request?.json()).toEqual({ segment: 'seg', ids: ['a', 'b'] })
})

test('an answer that is none leaves nothing to be counted', async () => {
  expect(at(() => new Response('', { status: 401 })).claim('seg', ['a'])).rejects.toMatchObject({
    code: 'status 401',
  })
  expect(at(() => Response.json({ sites: [] })).claim('seg', ['a'])).rejects.toThrow()
  expect(at(() => new Response('<html>')).claim('seg', ['a'])).rejects.toThrow()
  expect(at(() => Promise.reject(new Error('gone'))).claim('seg', ['a'])).rejects.toThrow('gone')
})
