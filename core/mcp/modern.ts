import { createMcpHandler, type ListToolsResult, Server } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import * as v from 'valibot'
import type { Log } from '../contracts/plugin'
import { capabilities, serverInfo } from './about'
import { eventMethods } from './events/methods'
import { type RequestTools, toolAnswer } from './request-tools'
import { skillMethods } from './skills'

/** The parameters of methods of extensions, which check them themselves. */
const anyParams = v.record(v.string(), v.unknown())

const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** Lists are compiled at start and depend only on the address. */
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
/** Must be shorter than the time after which a silent connection is closed. */
const keepAliveMs = 5_000

/** Revision 2026-07-28. */
export interface Modern {
  fetch(request: Request, tools: RequestTools, body: unknown): Promise<Response>
}

export function createModern(log: Log): Modern {
  const toolsByRequest = new WeakMap<Request, RequestTools>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const tools = requestInfo && toolsByRequest.get(requestInfo)
      if (!tools) throw new Error('A request reached MCP without passing its checks')
      return serverOf(tools)
    },
    {
      legacy: 'reject',
      maxSubscriptions: subscriptionsMax,
      keepAliveMs,
      onerror: (error) => log.debug('an MCP request was rejected', { error: error.message }),
    },
  )
  return {
    fetch(request, tools, body) {
      toolsByRequest.set(request, tools)
      return handler.fetch(request, body === undefined ? {} : { parsedBody: body })
    },
  }
}

function serverOf(tools: RequestTools): Server {
  const server = new Server(serverInfo, {
    capabilities: capabilities(),
    instructions: tools.instructions,
    jsonSchemaValidator,
    cacheHints,
  })
  server.setRequestHandler('tools/list', () => ({
    tools: tools.listings as ListToolsResult['tools'],
  }))
  server.setRequestHandler('tools/call', async ({ params }) =>
    toolAnswer(await tools.call(params.name, params.arguments ?? {})),
  )
  server.setRequestHandler('resources/list', () => ({ resources: tools.resources.listings }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params }) => tools.resources.read(params.uri))
  server.setRequestHandler('prompts/list', () => ({ prompts: tools.prompts.listings }))
  server.setRequestHandler('prompts/get', ({ params }) =>
    tools.prompts.get(params.name, params.arguments ?? {}),
  )
  for (const method of eventMethods)
    server.setRequestHandler(method, { params: anyParams }, (params) => tools.events(method, params))
  for (const method of skillMethods)
    server.setRequestHandler(method, { params: anyParams }, (params) => ({
      ...tools.skills.answer(method, params),
      ...listed,
    }))
  return server
}
