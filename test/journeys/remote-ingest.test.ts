import { expect, test } from 'bun:test'
import { startProduct } from '../support/product'

const secret = 'the-secret'

test('with the ingest secret, a site keeps its domain only once an ingest on another machine has read it', async () => {
  const env = { RENOWN_INGEST_SECRET: secret, RENOWN_RANGES_MIRROR: 'http://127.0.0.1:1' }
  await using product = await startProduct({ env })
  const { api_url, ingest_url } = product.facts
  const create = async (domain: string) => {
    const { code, stdout, stderr } = await product.renown('site', 'create', domain, '--json')
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as { site_id: string; forwarder_token: string }
  }
  const rename = (id: string, domain: string) => product.renown('site', 'rename', id, domain, '--json')

  const first = await create('first.example')
  expect(await rename(first.site_id, 'renamed.example')).toMatchObject({ code: 0, stderr: '' })

  const headers = { authorization: `Bearer ${secret}` }
  const read = await fetch(`${api_url}/internal/sites`, { headers })
  expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('"renamed.example"')])
  const refused = await rename(first.site_id, 'again.example')
  expect(refused.code).toBe(1)
  expect(refused.stderr + refused.stdout).toContain('An ingest on another machine may hold hits')

  const second = await create('second.example')
  expect(await rename(second.site_id, 'free.example')).toMatchObject({ code: 0, stderr: '' })
  const hit = { ts: new Date().toISOString(), ip: '192.0.2.1', ua: 'GPTBot/1.2', path: '/', status: 200 }
  const sent = await fetch(`${ingest_url}/v1/hits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${second.forwarder_token}` },
    body: JSON.stringify([hit]),
  })
  expect(await sent.json()).toMatchObject({ accepted: 1 })
  const counted = await rename(second.site_id, 'taken.example')
  expect(counted.code).toBe(1)
  expect(counted.stderr + counted.stdout).toContain('This site already has hits of free.example')
}, 90_000)
