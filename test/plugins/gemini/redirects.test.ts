import { describe, expect, test } from 'bun:test'
import type { SafeFetch } from '../../../core/contracts/outbound'
import { createSafeFetch } from '../../../core/outbound/fetch/safe-fetch'
import { resolveRedirects } from '../../../plugins/gemini/redirects'
import { quietLog } from '../../support/quiet-log'
import { standInResolver } from '../../support/stand-in-resolver'

const host = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/'
const source = { url: `${host}A`, title: 'acme.example' }
const answering =
  (status: number, location: string | null, asked: string[] = []): SafeFetch =>
  async (url, options) => {
    asked.push(url)
    expect(options.redirects ?? 0).toBe(0)
    const headers = new Headers(location === null ? {} : { location })
    return { status, headers, body: new Uint8Array(), url }
  }
const resolve = (safeFetch: SafeFetch, sources = [source]) =>
  resolveRedirects({ safeFetch }, sources, undefined)

describe('a redirect of Google', () => {
  test('becomes the address that it leads to, which is never fetched itself', async () => {
    const asked: string[] = []
    expect(await resolve(answering(302, 'https://www.acme.example/a?b=1', asked), [source, source])).toEqual([
      { ...source, url: 'https://www.acme.example/a?b=1' },
      { ...source, url: 'https://www.acme.example/a?b=1' },
    ])
    expect(asked).toEqual([source.url])
  })

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:9200/',
    'http://localhost/admin',
    'http://[::1]/',
    'https://intranet/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `${host}B`,
    null,
  ])('to %s keeps the domain of its title, with a mark', async (location) => {
    expect(await resolve(answering(302, location))).toEqual([{ ...source, isUnresolved: true }])
  })

  test.each([200, 404, 500])('that answers %i keeps the domain of its title', async (status) => {
    expect(await resolve(answering(status, 'https://acme.example/'))).toEqual([
      { ...source, isUnresolved: true },
    ])
  })

  test('of which there are too many keeps its source', async () => {
    const asked: string[] = []
    const many = Array.from({ length: 200 }, (_, n) => ({ ...source, url: `${host}${n}` }))
    const resolved = await resolve(answering(302, 'https://acme.example/', asked), many)
    expect([resolved.length, asked.length]).toEqual([200, 60])
    expect(resolved.filter((one) => 'isUnresolved' in one)).toHaveLength(140)
  })

  test('is asked on the public internet only', async () => {
    const dns = standInResolver()
    for (const addresses of [['10.0.0.7'], ['127.0.0.1'], ['93.184.215.14', '192.168.1.1'], []]) {
      dns.setAddresses('vertexaisearch.cloud.google.com', addresses)
      const safeFetch = createSafeFetch({ dns, log: quietLog })
      expect(await resolve(safeFetch)).toEqual([{ ...source, isUnresolved: true }])
    }
    expect(dns.asked.length).toBeGreaterThan(0)
  })

  test('asks nothing for other addresses', async () => {
    const asked: string[] = []
    const other = { url: 'https://acme.example/', title: 'Acme' }
    expect(await resolve(answering(302, 'https://b.example/', asked), [other])).toEqual([other])
    expect(asked).toEqual([])
  })
})
