import { described, type Installation } from '../installation'
import { isObject, textAt, valueAt } from '../json'
import type { Check } from '../proof'

type DiscoveryCheck = Check<Installation>

const challenge: DiscoveryCheck = {
  id: 'oauth.challenge',
  promise: 'A 401 says where an app can sign in, on the same host',
  async run({ connection }, proof) {
    const answer = await connection.ask('/api/mcp', {
      method: 'POST',
      key: null,
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    })
    const header = answer.headers.get('www-authenticate') ?? ''
    proof.expect(answer.status === 401, `MCP without a key has status ${answer.status}, not 401`)
    const address = /resource_metadata="([^"]{1,500})"/.exec(header)?.[1]
    if (!proof.expect(address !== undefined, 'The 401 has no resource_metadata in WWW-Authenticate')) return
    proof.expect(/\bscope="[^"]{0,200}read/.test(header), 'The 401 does not name the scopes')
    const path = URL.canParse(address ?? '') ? new URL(address ?? '').pathname : '/'
    const found = await connection.ask(path, { key: null })
    proof.expect(
      isObject(found.json) && found.status === 200,
      `The address of the 401 returns ${described(found)}`,
    )
  },
}

const metadata: DiscoveryCheck = {
  id: 'oauth.metadata',
  promise: 'The OAuth metadata agree with each other: one issuer, PKCE with S256 only, exact addresses',
  async run({ connection }, proof) {
    const resource = await connection.ask('/.well-known/oauth-protected-resource/api/mcp', { key: null })
    const server = await connection.ask('/.well-known/oauth-authorization-server', { key: null })
    for (const answer of [resource, server])
      if (
        !proof.expect(
          answer.status === 200 && isObject(answer.json),
          `The metadata have ${described(answer)}`,
        )
      )
        return
    const issuer = textAt(server.json, 'issuer') ?? ''
    if (
      !proof.expect(
        URL.canParse(issuer) && new URL(issuer).origin === issuer,
        `The issuer ${issuer} is not an origin`,
      )
    )
      return
    const { protocol, hostname } = new URL(issuer)
    proof.expect(
      protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname),
      `The issuer ${issuer} is not https`,
    )
    const servers = valueAt(resource.json, 'authorization_servers')
    proof.expect(
      Array.isArray(servers) && servers.includes(issuer),
      'The resource names another authorization server',
    )
    proof.expect(
      textAt(resource.json, 'resource') === `${issuer}/api/mcp`,
      'The resource is not <issuer>/api/mcp',
    )
    for (const name of [
      'authorization_endpoint',
      'token_endpoint',
      'registration_endpoint',
      'revocation_endpoint',
    ]) {
      const address = textAt(server.json, name) ?? ''
      proof.expect(
        URL.canParse(address) && new URL(address).origin === issuer,
        `${name} is not on the host of the issuer`,
      )
    }
    const methods = valueAt(server.json, 'code_challenge_methods_supported')
    proof.expect(
      JSON.stringify(methods) === '["S256"]',
      `PKCE methods are ${JSON.stringify(methods)}, not only S256`,
    )
    const types = valueAt(server.json, 'response_types_supported')
    proof.expect(
      JSON.stringify(types) === '["code"]',
      `Response types are ${JSON.stringify(types)}, not only code`,
    )
  },
}

export const discoveryChecks = [challenge, metadata]
