import { expect, test } from 'bun:test'
import { domainToASCII } from 'node:url'
import { shownDomain, withShownDomains } from '../../../core/kit/shown-domain'

const stored = (name: string) => {
  const domain = domainToASCII(name)
  expect(domain).toStartWith('xn--')
  return domain
}

test.each([
  'müller.example',
  'łódź.pl',
  'straße.de',
  'münchen.müller.example',
  'почта.рф',
  '例え.jp',
  'ユーザー.com',
  '한국.kr',
])('%s is shown in its own letters', (name) => {
  const domain = domainToASCII(name)
  expect(domain).toContain('xn--')
  expect(shownDomain(domain)).toBe(name)
})

test.each([
  ['a Cyrillic label that looks like apple', 'аррӏе.com'],
  ['Cyrillic and Latin letters in one label', 'pаypal.com'],
  ['a Greek label', 'οο.com'],
  ['a dotless i', 'gıthub.com'],
  ['the African alpha', 'ɑpple.com'],
  ['a dot below', 'applẹ.com'],
  ['Latin and Katakana in one label', 'aノb.jp'],
  ['an Arabic label beside a Latin one', 'مثال.com'],
  ['a symbol', '☃.example'],
])('%s stays as it is stored', (_, name) => {
  const domain = stored(name)
  expect(shownDomain(domain)).toBe(domain)
})

test.each(['shop.example', 'localhost', '127.0.0.1', 'xn--zz--.com', 'xn--.com'])(
  '%s has no other form',
  (domain) => expect(shownDomain(domain)).toBe(domain),
)

test('a text has its domains in their own letters, and keeps addresses and DNS names as they are copied', () => {
  const domain = stored('müller.example')
  expect(withShownDomains(`This site already has hits of ${domain}, so it keeps ${domain}.`)).toBe(
    'This site already has hits of müller.example, so it keeps müller.example.',
  )
  expect(withShownDomains(`shop.${domain}`)).toBe('shop.müller.example')
  for (const text of [`https://${domain}/a`, `_renown.${domain}`, `ann@${domain}`, `${domain}:8080`])
    expect(withShownDomains(text)).toBe(text)
  const mistakable = stored('аррӏе.example')
  expect(withShownDomains(`Site ${mistakable} added`)).toContain(shownDomain(mistakable))
})
