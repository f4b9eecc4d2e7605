import { expect, test } from 'bun:test'
import { languageTags } from '../../../../plugins/enrichment/profile/languages'
import { socialOf, socialsOf } from '../../../../plugins/enrichment/website/socials'

test.each([
  ['https://www.facebook.com/acme/?ref=x#y', 'facebook', 'https://www.facebook.com/acme'],
  ['http://m.facebook.com/profile.php?id=123&x=1', 'facebook', 'https://m.facebook.com/profile.php?id=123'],
  ['https://twitter.com/acme', 'x', 'https://twitter.com/acme'],
  ['https://uk.linkedin.com/company/acme', 'linkedin', 'https://uk.linkedin.com/company/acme'],
])('%s is a page at %s', (address, network, url) => {
  expect(socialOf(address)).toEqual({ network, url })
})

test.each([
  'https://www.facebook.com/',
  'https://www.facebook.com/sharer/sharer.php?u=https://acme.example',
  'https://twitter.com/intent/tweet?text=x',
  'https://www.linkedin.com/shareArticle?mini=true',
  'https://facebook.com.evil.test/acme',
  'https://evil.test/https://facebook.com/acme',
  'https://user@facebook.com/acme',
  'https://facebook.com:8443/acme',
  'javascript:alert("facebook.com/acme")',
  'https://facebook.com/profile.php?id=<script>',
  `https://facebook.com/${'x'.repeat(400)}`,
  'no address',
])('%s is nobody’s page', (address) => {
  expect(socialOf(address)).toBeNull()
})

test('of each network the first is kept, under no name that objects have by themselves', () => {
  expect(socialsOf(['https://x.com/a', 'https://twitter.com/b', 'https://constructor/x'])).toEqual({
    x: 'https://x.com/a',
  })
})

test('languages are tags, by tag or by name', () => {
  const said = [
    'en_GB',
    'EN-gb',
    'Deutsch',
    'Polish',
    'x-default',
    'i-klingon',
    'klingon',
    '',
    'en'.repeat(40),
  ]
  expect(languageTags(said, 10)).toEqual(['en-GB', 'de', 'pl'])
})
