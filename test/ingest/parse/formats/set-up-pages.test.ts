import { expect, test } from 'bun:test'
import { codeOf } from '../../../support/set-up-pages'
import { readLines } from '../../support/read-hits'

const ua = 'Odd "quoted" back\\slash GPTBot/1.3'
const whole = {
  ts: Date.UTC(2026, 10, 20, 16, 42, 52),
  ip: '192.0.2.7',
  host: 'shop.example',
  method: 'GET',
  target: '/a',
  status: 200,
  ua,
  referer: 'https://chatgpt.com/',
}
const hitsOf = (body: string) =>
  readLines(body, 0).map((one) => ('hit' in one ? one.hit : JSON.stringify(one)))

test('Fastly’s log format makes whole records', async () => {
  const values: Record<string, string> = {
    '%{begin:%Y-%m-%dT%H:%M:%SZ}t': '2026-11-20T16:42:52Z',
    '%{req.http.Fastly-Client-IP}V': whole.ip,
    '%{json.escape(req.http.host)}V': whole.host,
    '%{json.escape(req.method)}V': whole.method,
    '%{json.escape(req.url)}V': whole.target,
    '%{resp.status}V': '200',
    '%{json.escape(req.http.User-Agent)}V': JSON.stringify(ua).slice(1, -1),
    '%{json.escape(req.http.Referer)}V': whole.referer,
  }
  expect(hitsOf(await codeOf('operators/senders/fastly', 'text', values))).toEqual([whole])
})

test('Logpush is asked for every field that is read, and for no other', async () => {
  const job = JSON.parse(await codeOf('operators/senders/cloudflare', 'json', {}))
  const values: Record<string, unknown> = {
    ClientIP: whole.ip,
    ClientRequestHost: whole.host,
    ClientRequestMethod: 'GET',
    ClientRequestURI: '/a',
    ClientRequestUserAgent: ua,
    ClientRequestReferer: whole.referer,
    ClientRequestSource: 'eyeball',
    EdgeResponseStatus: 200,
    EdgeStartTimestamp: '2026-11-20T16:42:52Z',
    RayID: 'ray-1',
  }
  expect(job.output_options.field_names.toSorted()).toEqual(Object.keys(values).sort())
  const record = Object.fromEntries(
    job.output_options.field_names.map((name: string) => [name, values[name]]),
  )
  expect(hitsOf(JSON.stringify(record))).toEqual([{ ...whole, id: 'ray-1' }])
  expect(job.max_upload_bytes).toBeLessThan(64 * 2 ** 20)
})

test('CloudFront’s fields are read in the order in which the page names them', async () => {
  const [standard = '', realTime = ''] = (await codeOf('operators/senders/cloudfront', 'text', {}))
    .trim()
    .split(/\n\s*/)
  const values: Record<string, string> = {
    date: '2026-11-20',
    time: '16:42:52',
    timestamp: `${whole.ts / 1000}.000`,
    'c-ip': whole.ip,
    'cs-method': 'GET',
    'x-host-header': whole.host,
    'cs(Host)': 'd1.cloudfront.net',
    'cs-uri-stem': '/a',
    'sc-status': '200',
    'cs(Referer)': whole.referer,
    'cs-referer': whole.referer,
    'cs(User-Agent)': encodeURIComponent(ua),
    'cs-user-agent': encodeURIComponent(ua),
    'x-edge-request-id': 'edge-1',
  }
  const row = (fields: string) => fields.split(' ').map((name) => values[name] ?? `no ${name}`)
  const json = Object.fromEntries(standard.split(' ').map((name, at) => [name, row(standard)[at]]))
  expect(hitsOf(JSON.stringify(json))).toEqual([{ ...whole, id: 'edge-1' }])
  expect(hitsOf(row(realTime).join('\t'))).toEqual([{ ...whole, id: 'edge-1' }])
})
