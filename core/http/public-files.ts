import { Refusal } from '../contracts/errors'
import type { Config } from '../process/config'
import type { Registry } from '../registry/registry'
import { surfaceOf } from '../registry/surface'
import { policiesOf } from '../requests/limit-table'
import { originOf, type RequestState } from '../requests/request'
import { skillsWith } from '../skills/catalog'
import { BoundedMap } from '../stores/documents/read-cache'
import { type agentFilePaths, agentFilesOf } from './agent-files'
import { type Page, publicPageOf, sendFixed } from './answer'
import { createDocsFiles, markdownPageOf, namesMarkdown, varying } from './docs-files'
import { docsPage, docsPolicy } from './docs-page'
import { openapiOf } from './openapi'
import { referenceMarkdown } from './reference-markdown'
import { skillFilesOf } from './skill-files'

interface PublicFilesDeps {
  readonly registry: Registry
  readonly config: Config
}

/** Answers the files that describe an installation to everybody: OpenAPI, documents, and what agents look for. */
export function createPublicFiles({ registry, config }: PublicFilesDeps) {
  const surface = surfaceOf(registry)
  const hasOperation = (name: string) => registry.operations.has(name)
  const openapi = perOrigin((apiUrl) =>
    publicPageOf(bytesOf(JSON.stringify(openapiOf(registry, apiUrl))), {
      'access-control-allow-origin': '*',
    }),
  )
  const docs = perOrigin((apiUrl) =>
    publicPageOf(bytesOf(docsPage({ surface, policies: policiesOf(config), apiUrl })), {
      ...docsPolicy,
      vary: 'Accept',
      'content-type': 'text/html; charset=utf-8',
    }),
  )
  const docsText = perOrigin((apiUrl) =>
    markdownPageOf(referenceMarkdown({ surface, policies: policiesOf(config), apiUrl })),
  )
  const docsFile = createDocsFiles()
  const agentFiles = perOrigin((apiUrl) => agentFilesOf(apiUrl, skillsWith(hasOperation)))
  const skillFiles = perOrigin((apiUrl) => skillFilesOf(apiUrl, hasOperation))
  const origin = (state: RequestState) => originOf(state, config.apiUrl)
  return {
    openapi: (request: Request, state: RequestState) => sendFixed(request, openapi(origin(state))),
    /** The API reference, without the frame of the pages. */
    docs(request: Request, state: RequestState): Response {
      const page: Page = namesMarkdown(request) ? varying(docsText(origin(state))) : docs(origin(state))
      return sendFixed(request, page)
    },
    docsText: (request: Request, state: RequestState) => sendFixed(request, docsText(origin(state))),
    /** A document of the repository. */
    docsFile: (request: Request, { path }: RequestState) => docsFile(request, path),
    /** Where agents find the MCP server. */
    agentFile: (request: Request, state: RequestState, file: keyof typeof agentFilePaths) =>
      sendFixed(request, agentFiles(origin(state))[file]),
    /** Skills as files, for assistants that install them. */
    skillFile(request: Request, state: RequestState): Response {
      const file = skillFiles(origin(state)).get(state.path)
      if (!file) throw new Refusal('not_found', 'There is no such skill. /skills/index.json lists all.')
      return sendFixed(request, file)
    },
  }
}

const originsMax = 16

/** Caches pages that contain the address of the request, one for each address. */
function perOrigin<T extends object>(make: (origin: string) => T): (origin: string) => T {
  const known = new BoundedMap<string, T>(originsMax)
  return (origin) => {
    const page = known.get(origin) ?? make(origin)
    known.set(origin, page)
    return page
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
