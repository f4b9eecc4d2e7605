import { Refusal } from '../../../contracts/errors'
import type { OwnerContext } from '../../../contracts/plugin'
import { publicPageOf, send } from '../../../http/answer'
import type { Handler } from '../../../http/routes'
import { sha256Hex } from '../../../process/crypto'
import type { Registry } from '../../../registry/registry'
import type { Limits } from '../../../requests/limits'
import type { RequestState } from '../../../requests/request'
import { wrongMethod } from '../../../requests/wrong-method'
import { workspaceShown } from './workspace-shown'

/** The path under which files are. */
export const uploadPath = '/uploads/'

export interface UploadsDeps {
  readonly registry: Pick<Registry, 'uploads'>
  readonly limits: Pick<Limits, 'count'>
  readonly owner: OwnerContext
}

const workspaceForm = /^[\w-]{1,64}$/
const fileForm = /^[\w-]{12,100}\.[a-z0-9]{1,8}$/

/** Answers files. A request is counted before its file is looked up, and unknown files get the same answer. */
export function createUploads({ registry, limits, owner }: UploadsDeps): Handler<RequestState> {
  return {
    async fetch(request, state) {
      const { host, path } = state
      const [name = '', workspace_id = '', file = '', ...rest] = path.slice(uploadPath.length).split('/')
      const declared = registry.uploads.get(name)
      const isForm = rest.length === 0 && workspaceForm.test(workspace_id) && fileForm.test(file)
      if (isForm) limits.count(state, 'publicPage', { credential: await sha256Hex(path) })
      const isOpen = declared && isForm && host && (await workspaceShown(owner, host, workspace_id))
      const found = isOpen ? await declared.load(owner, { workspace_id, file }) : null
      if (!found || !declared) {
        limits.count(state, 'failure')
        throw new Refusal('not_found', 'There is nothing at this address.')
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') throw wrongMethod(state, ['GET'])
      const page = publicPageOf(found.bytes, {
        'content-type': found.type ?? declared.type,
        'cache-control': 'private, no-cache',
        'content-disposition': `${found.type === undefined ? 'inline' : 'attachment'}; filename="${found.filename.replaceAll(/[^\w .-]/g, '_')}"`,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
        'x-robots-tag': 'noindex, nofollow, noarchive',
        'referrer-policy': 'no-referrer',
      })
      const response = send(request, page)
      return request.method === 'HEAD' ? new Response(null, response) : response
    },
  }
}
