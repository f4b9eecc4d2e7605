import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { capabilities, serverInfo } from './about'
import { isEventMethod } from './events/methods'
import { ProtocolFault } from './fault'
import { type RequestTools, toolAnswer } from './request-tools'
import { isSkillMethod } from './skills'

/** A shared validator, because creating one costs more than the rest of a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/**
 * Revisions 2025-11-25 and earlier. Stateless: each request has its own server and transport and gets one JSON body.
 */
export async function serveLegacy(request: Request, tools: RequestTools, body: unknown): Promise<Response> {
  const server = serverOf(tools)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as Parameters<Server['connect']>[0])
  return transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
}

function serverOf(tools: RequestTools): Server {
  const server = new Server(serverInfo, {
    capabilities: capabilities(),
    instructions: tools.instructions,
    jsonSchemaValidator,
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.listings }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
    toolAnswer(await tools.call(params.name, params.arguments ?? {})),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: tools.resources.listings }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => tools.resources.read(params.uri))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: tools.prompts.listings }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    tools.prompts.get(params.name, params.arguments ?? {}),
  )
  server.fallbackRequestHandler = async ({ method, params }) => {
    if (isSkillMethod(method)) return tools.skills.answer(method, params ?? {})
    if (!isEventMethod(method)) throw new ProtocolFault('Method not found', undefined, -32601)
    return tools.events(method, params ?? {})
  }
  return server
}
