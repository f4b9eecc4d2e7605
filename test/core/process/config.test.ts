import { expect, test } from 'bun:test'
import { readConfig } from '../../../core/process/config'

test('public origins follow the ports unless they are given', () => {
  expect(readConfig({ PORT: '8080' })).toMatchObject({
    apiUrl: 'http://localhost:8080',
    ingestUrl: 'http://localhost:3001',
  })
  expect(readConfig({ RENOWN_URL: 'https://api.example.com/' }).apiUrl).toBe('https://api.example.com')
})

test.each([
  ['http://api.example.com', 'https is required except on loopback'],
  ['https://api.example.com/renown', 'without a path'],
  ['https://user@api.example.com', 'without a path'],
  ['api.example.com', 'without a path'],
  ['ftp://api.example.com', 'without a path'],
])('%s is refused as an origin', (origin, reason) => {
  expect(() => readConfig({ RENOWN_URL: origin })).toThrow(reason)
  expect(() => readConfig({ RENOWN_INGEST_URL: origin })).toThrow(reason)
})

test.each(['http://localhost:9', 'http://127.0.0.1:9', 'http://[::1]:9'])('%s is loopback', (origin) => {
  expect(readConfig({ RENOWN_URL: origin }).apiUrl).toBe(origin)
})

test.each(['192.0.2.53', '192.0.2.53:5353,2001:db8::53', '[2001:db8::53]:5353', ''])(
  '%p are DNS servers',
  (text) => {
    expect(() => readConfig({ DNS_SERVERS: text })).not.toThrow()
  },
)

test.each(['dns.example', '53', '192.0.2', 'tls://192.0.2.53'])('%p is no DNS server', (text) => {
  expect(() => readConfig({ DNS_SERVERS: text })).toThrow('DNS_SERVERS: expected addresses')
})
