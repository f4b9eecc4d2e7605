import { createMcpHandler, type ListToolsResult, Server } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { Log } from '../contracts/plugin'
import { capabilities, serverInfo } from './about'
import { type Face, toolAnswer } from './face'

const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** What is listed is compiled at the start and depends on the address alone. */
const listed = { ttlMs: 60_000, cacheScope: 'private' } as const
const cacheHints = {
  'tools/list': listed,
  'prompts/list': listed,
  'resources/list': listed,
  'resources/templates/list': listed,
  'resources/read': listed,
  'server/discover': listed,
}

const subscriptionsMax = 256
/** Below the time after which a silent connection is closed. */
const keepAliveMs = 5_000

/** Revision 2026-07-28. */
export interface Modern {
  fetch(request: Request, face: Face, body: unknown): Promise<Response>
}

export function createModern(log: Log): Modern {
  const faces = new WeakMap<Request, Face>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const face = requestInfo && faces.get(requestInfo)
      if (!face) throw new Error('A request reached MCP without passing its checks')
      return serverOf(face)
    },
    {
      legacy: 'reject',
      maxSubscriptions: subscriptionsMax,
      keepAliveMs,
      onerror: (error) => log.debug('an MCP request was rejected', { error: error.message }),
    },
  )
  return {
    fetch(request, face, body) {
      faces.set(request, face)
      return handler.fetch(request, body === undefined ? {} : { parsedBody: body })
    },
  }
}

function serverOf(face: Face): Server {
  const server = new Server(serverInfo, {
    capabilities: capabilities(),
    instructions: face.instructions,
    jsonSchemaValidator,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({
    tools: face.listings as ListToolsResult['tools'],
  }))
  server.setRequestHandler('tools/call', async ({ params }) =>
    toolAnswer(await face.call(params.name, params.arguments ?? {})),
  )
  server.setRequestHandler('resources/list', () => ({ resources: face.resources.listings }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) => face.resources.read(params.uri))
  server.setRequestHandler('prompts/list', () => ({ prompts: face.prompts.listings }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    face.prompts.get(params.name, params.arguments ?? {}),
  )
  return server
}
