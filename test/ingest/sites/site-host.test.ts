import { expect, test } from 'bun:test'
import { isOfSite, isOriginOfSite } from '../../../ingest/sites/site-host'

test('a log’s host is the site’s, below it, or says nothing', () => {
  for (const host of [
    'example.com',
    'WWW.Example.com:8080',
    'a.b.example.com.',
    '10.0.0.1:80',
    '[::1]:80',
    '[::ffff:192.0.2.1]:80',
    'web',
    'web.internal',
  ]) {
    expect(isOfSite(host, 'example.com')).toBe(true)
  }
  for (const host of ['example.org', 'notexample.com', 'example.com.evil.org']) {
    expect(isOfSite(host, 'example.com')).toBe(false)
    expect(isOfSite(host, 'localhost')).toBe(true)
  }
})

test('a page’s origin is the site’s or below it, and nothing else', () => {
  for (const origin of ['https://example.com', 'http://shop.example.com:8080']) {
    expect(isOriginOfSite(origin, 'example.com')).toBe(true)
  }
  for (const origin of [
    '',
    'null',
    'https://example.org',
    'https://notexample.com',
    'http://127.0.0.1',
    'file://',
  ]) {
    expect(isOriginOfSite(origin, 'example.com')).toBe(false)
  }
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000', 'https://example.com']) {
    expect(isOriginOfSite(origin, 'localhost')).toBe(true)
  }
  for (const origin of ['', 'null', 'file://']) expect(isOriginOfSite(origin, 'localhost')).toBe(false)
})
