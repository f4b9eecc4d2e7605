import { readJson } from '../requests/body'
import type { AuthenticatedState } from '../requests/request'
import { wrongMethod } from '../requests/wrong-method'
import { paid } from '../work/loop-time'
import { currentWork } from '../work/scope'
import { sessionIdFor, sharedSessionId, showsApps } from './agent-apps'
import { countMessages, countRefusedCall, countRequest, isCall } from './count'
import { serveLegacy } from './legacy'
import { answerWhileRunning, type Patience, patience } from './long-answer'
import { checkForms, faultAnswer, withFaults } from './message-forms'
import { createModern } from './modern'
import { type RequestToolsDeps, requestToolsOf } from './request-tools'
import { createResponseCache } from './response-cache'
import { createResponseTemplates } from './response-templates'
import { createRunningCalls } from './running-calls'
import { checkScopes } from './scopes'
import { protocolHeaders, type SdkRequest } from './sdk-request'
import { compileTable } from './table'

export interface McpHandler {
  fetch(request: Request, state: AuthenticatedState): Promise<Response>
}

/** Handles the MCP address. The caller is known here, and the revision of the protocol is chosen here. */
export function createHandler(
  handlerDeps: Omit<RequestToolsDeps, 'table'> & { readonly patience?: Patience },
): McpHandler {
  const deps: RequestToolsDeps = {
    ...handlerDeps,
    table: compileTable(handlerDeps.registry),
  }
  const { limits } = deps
  const modern = createModern(handlerDeps.log)
  const cachedAnswer = createResponseCache()
  const templatedAnswer = createResponseTemplates()
  const runningCalls = createRunningCalls()
  return {
    async fetch(request, state) {
      if (request.method !== 'POST') throw wrongMethod(state, ['POST'])
      countRequest(limits, state)
      const { text, value: sent } = await readJson(request)
      countMessages(limits, state, sent)
      checkScopes(deps, state, sent)
      const { body, faults } = paid(text.length, () => checkForms(sent))
      for (const _ of faults) countRefusedCall(limits, state)
      if (faults.length > 0 && body === undefined) return faultAnswer(faults, Array.isArray(sent))
      const sessionId = request.headers.get('mcp-session-id')
      const headers = protocolHeaders.map((name) =>
        name === 'mcp-session-id' ? sharedSessionId(sessionId) : request.headers.get(name),
      )
      const isModern = speaksModern(headers[0] ?? null, body)
      const sdkRequest: SdkRequest = { isModern, search: state.search, headers, body }
      const tools = requestToolsOf(deps, state, {
        workspace: request.headers.get('x-workspace-id'),
        showsApps: showsApps(sessionId, body),
      })
      const ask = async (body: unknown, call = tools.call) => {
        const forwarded = sdkRequestOf(request, headers, body === undefined ? text : null)
        const seen = call === tools.call ? tools : { ...tools, call }
        const response = await (isModern
          ? modern.fetch(forwarded, seen, body)
          : serveLegacy(forwarded, seen, body))
        const opened = isModern || response.status !== 200 ? null : sessionIdFor(body)
        if (opened !== null) response.headers.set('mcp-session-id', opened)
        const isStream = response.headers.get('content-type') === 'text/event-stream'
        // Prevents proxies from compressing the answer, because that would delay a stream.
        response.headers.set(
          'cache-control',
          isStream ? 'private, no-store, no-transform' : 'private, no-store',
        )
        return response
      }
      runningCalls.cancel(state.principal.id, body)
      if (!isCall(body)) {
        const canWrite = state.principal.scopes.includes('write')
        const answer = await cachedAnswer({ ...sdkRequest, search: `${state.search} ${canWrite}` }, ask)
        return withFaults(answer, faults)
      }
      const work = currentWork()
      const call = { request, body, work, log: handlerDeps.log }
      return answerWhileRunning(call, handlerDeps.patience ?? patience, async () => {
        const answer = () => templatedAnswer(sdkRequest, tools, ask)
        const response = await runningCalls.track(state.principal.id, body, work, answer)
        if (response.status >= 400) countRefusedCall(limits, state)
        return response
      })
    },
  }
}

/** Whether the request uses the new revision, by its header or else by its body. */
function speaksModern(header: string | null, body: unknown): boolean {
  if (header !== null) return header >= '2026'
  const meta = (body as { params?: { _meta?: Record<string, unknown> } } | null | undefined)?.params?._meta
  const named = meta?.['io.modelcontextprotocol/protocolVersion']
  return typeof named === 'string' && named >= '2026'
}

const jsonOrStream = 'application/json, text/event-stream'

/**
 * Changes the request to what the SDKs require, because some clients send no Accept header or accept
 * everything.
 */
function sdkRequestOf(request: Request, values: SdkRequest['headers'], text: string | null): Request {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: jsonOrStream }
  for (const [at, name] of protocolHeaders.entries()) {
    const value = values[at]
    if (typeof value === 'string') headers[name] = value
  }
  // A stream must end when its client disconnects. For other calls the check is not worth its cost, because
  // they end soon.
  const signal = headers['mcp-method'] === 'subscriptions/listen' ? request.signal : null
  return new Request(request.url, {
    method: 'POST',
    headers,
    signal,
    ...(text === null ? {} : { body: text }),
  })
}
