import { expect, test } from 'bun:test'
import { readS3 } from '../../../../ingest/parse/formats/senders/s3'

const owner = 'a'.repeat(64)
const before = `${owner} shop-files [28/Nov/2026:11:07:49 +0000] 192.0.2.7 - REQ1 REST.GET.OBJECT menu.html`
const tail = 'idw= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader'
const after = (headers: string, host: string) =>
  `${before} "GET /menu.html HTTP/1.1" 200 - 113 113 7 - ${headers} - ${tail} ${host} TLSv1.2 -`

test.each([
  [
    'its own domain',
    '"https://a.example/x" "GPTBot/1.3"',
    'shop.example',
    'https://a.example/x',
    'GPTBot/1.3',
    'shop.example',
  ],
  [
    'a quote inside the user agent',
    '"-" "GPT"Bot/1.3"',
    'shop.example',
    undefined,
    'GPT"Bot/1.3',
    'shop.example',
  ],
  ['no headers', '"-" "-"', '-', undefined, '', undefined],
  [
    'S3’s own host',
    '"-" "GPTBot/1.3"',
    'shop-files.s3.eu-west-1.amazonaws.com',
    undefined,
    'GPTBot/1.3',
    undefined,
  ],
])('a line of S3 with %s has its headers', (_, headers, host, referer, ua, readHost) => {
  const line = after(headers, host)
  expect(readS3(line)).toMatchObject({
    referer,
    ua,
    host: readHost,
    status: 200,
    id: 'REQ1',
    target: '/menu.html',
  })
})
