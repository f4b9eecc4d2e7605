import { described, type Installation } from '../installation'
import { textAt, valueAt } from '../json'
import { askMcp, envelope, resultOf } from '../mcp'
import type { Check } from '../proof'

type ProtocolCheck = Check<Installation>

const initialize = (version: string) => ({
  protocolVersion: version,
  capabilities: {},
  clientInfo: { name: 'renown-conformance', version: '1.0.0' },
})

const olderRevisions: ProtocolCheck = {
  id: 'protocol.2025',
  promise:
    'Revision 2025-11-25 and earlier: initialize agrees on a version, and offers one for an unknown version',
  async run({ connection }, proof) {
    for (const version of ['2025-11-25', '2025-06-18']) {
      const answer = await askMcp(connection, 'initialize', initialize(version))
      const agreed = resultOf(answer)?.protocolVersion
      proof.expect(agreed === version, `initialize with ${version} answers ${agreed ?? described(answer)}`)
      proof.expect(
        textAt(resultOf(answer), 'serverInfo', 'name') === 'renown',
        'initialize does not name the server renown',
      )
      proof.expect(typeof resultOf(answer)?.instructions === 'string', 'initialize has no instructions')
    }
    const unknown = resultOf(await askMcp(connection, 'initialize', initialize('2099-01-01')))
    proof.expect(
      unknown?.protocolVersion === '2025-11-25',
      'initialize with an unknown version does not offer 2025-11-25',
    )
    const headers = { 'mcp-protocol-version': '1999-01-01' }
    const refused = await connection.ask('/api/mcp', { method: 'POST', headers, body: rpc('tools/list') })
    proof.expect(
      refused.status === 400,
      `An unsupported version in the header has status ${refused.status}, not 400`,
    )
  },
}

const newerRevision: ProtocolCheck = {
  id: 'protocol.2026',
  promise:
    'Revision 2026-07-28: discovery, the envelope of each request, and headers that agree with the body',
  async run({ connection }, proof) {
    const answer = await askMcp(connection, 'server/discover', {}, { revision: '2026-07-28' })
    const versions = resultOf(answer)?.supportedVersions
    proof.expect(
      Array.isArray(versions) && versions.includes('2026-07-28'),
      `server/discover does not offer 2026-07-28: ${described(answer)}`,
    )
    const version = { 'mcp-protocol-version': '2026-07-28' }
    const bare = {
      method: 'POST',
      headers: { ...version, 'mcp-method': 'tools/list' },
      body: rpc('tools/list'),
    }
    const without = await connection.ask('/api/mcp', bare)
    proof.expect(
      without.status === 400,
      `A request without its envelope has status ${without.status}, not 400`,
    )
    const crossed = await connection.ask('/api/mcp', {
      method: 'POST',
      headers: { ...version, 'mcp-method': 'prompts/list' },
      body: rpc('tools/list', { _meta: envelope }),
    })
    proof.expect(
      crossed.status === 400,
      `A header that names another method has status ${crossed.status}, not 400`,
    )
  },
}

const stateless: ProtocolCheck = {
  id: 'protocol.stateless',
  promise: 'The server keeps no session: each request stands alone, and its answer has its id',
  async run({ connection }, proof) {
    for (const id of [7, 'seven']) {
      const answer = await connection.ask('/api/mcp', { method: 'POST', body: { ...rpc('tools/list'), id } })
      proof.expect(
        valueAt(answer.json, 'id') === id,
        `The answer to id ${id} has id ${String(valueAt(answer.json, 'id'))}`,
      )
      proof.expect(answer.headers.get('mcp-session-id') === null, 'An answer has a session id')
      proof.expect(
        isJson(answer.headers),
        `tools/list has content type ${answer.headers.get('content-type')}`,
      )
    }
    const headers = { 'mcp-session-id': 'renown-conformance' }
    const strange = await connection.ask('/api/mcp', { method: 'POST', headers, body: rpc('ping') })
    proof.expect(strange.status === 200, `An unknown session id has status ${strange.status}, not 200`)
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const notified = await connection.ask('/api/mcp', { method: 'POST', body: told })
    proof.expect(notified.status === 202, `A notification has status ${notified.status}, not 202`)
    for (const method of ['GET', 'DELETE']) {
      const { status } = await connection.ask('/api/mcp', { method })
      proof.expect(status === 405, `${method} /api/mcp has status ${status}, not 405`)
    }
  },
}

const faults: ProtocolCheck = {
  id: 'protocol.faults',
  promise: 'Broken JSON, unknown methods and unknown tools get the codes of JSON-RPC',
  async run({ connection }, proof) {
    const code = (answer: { json: unknown }) => valueAt(answer.json, 'error', 'code')
    const broken = await connection.ask('/api/mcp', { method: 'POST', body: '{"jsonrpc":' })
    proof.expect(code(broken) === -32_700, `Broken JSON has code ${code(broken)}, not -32700`)
    const method = await askMcp(connection, 'tools/renown_conformance')
    proof.expect(code(method) === -32_601, `An unknown method has code ${code(method)}, not -32601`)
    const tool = await askMcp(connection, 'tools/call', { name: 'renown_conformance', arguments: {} })
    proof.expect(code(tool) === -32_602, `An unknown tool has code ${code(tool)}, not -32602`)
  },
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const isJson = (headers: Headers) => headers.get('content-type')?.startsWith('application/json') === true

export const protocolChecks = [olderRevisions, newerRevision, stateless, faults]
