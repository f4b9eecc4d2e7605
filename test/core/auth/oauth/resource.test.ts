import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkResources, resourceOf } from '../../../../core/auth/oauth/resource'

const origin = 'https://app.example.com'
const accepts = (...resources: string[]) => {
  try {
    checkResources(origin, resources)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_target' })
    return false
  }
}

test('the resource that metadata names has no slash at its end', () => {
  expect(resourceOf(origin)).toBe('https://app.example.com/api/mcp')
})

test.each([
  origin,
  `${origin}/`,
  `${origin}/api`,
  `${origin}/api/`,
  `${origin}/api/mcp`,
  `${origin}/api/mcp/`,
  `${origin}/api/mcp?toolsets=reviews&readonly=1`,
  'https://APP.Example.com/api/mcp',
  'HTTPS://app.example.com:443/api/mcp',
])('%s names this host', (resource) => {
  expect(accepts(resource)).toBe(true)
  expect(accepts(resource, origin)).toBe(true)
})

test('none names this host too', () => {
  expect(accepts()).toBe(true)
})

test.each([
  'https://other.example.com/api/mcp',
  'https://app.example.com.evil.example/api/mcp',
  'https://app.example.com@evil.example/api/mcp',
  'https://user@app.example.com/api/mcp',
  'https://:word@app.example.com/api/mcp',
  `${origin}/api/mcp?${'x'.repeat(2_048)}`,
  `${origin}/api/mcp?a b`,
  'http://app.example.com/api/mcp',
  'https://app.example.com:8443/api/mcp',
  `${origin}/api/mcp//`,
  `${origin}/api/mcp/x`,
  `${origin}/api/../other`,
  `${origin}/api/mcp/.`,
  `${origin}/%61pi/mcp`,
  `${origin}/API/MCP`,
  `${origin}/api/mcp#fragment`,
  `${origin}\\api\\mcp`,
  'urn:renown',
  'app.example.com',
  '/api/mcp',
])('%s does not', (resource) => {
  expect(accepts(resource)).toBe(false)
  expect(accepts(origin, resource)).toBe(false)
})

test('no other host passes, whatever it is called', () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      expect(accepts(url)).toBe(new URL(url).origin === origin)
    }),
  )
})
