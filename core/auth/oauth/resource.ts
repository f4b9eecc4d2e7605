import { OAuthError } from './oauth-error'

/** Returns the resource that the tokens of a host are for, as in its metadata. */
export const resourceOf = (origin: string): string => `${origin}/api/mcp`

/** The paths that apps may use to name the resource of a host. */
const paths = new Set(['', '/api', '/api/mcp'])

/**
 * Throws unless these resources are this host (RFC 8707). Accepts the address with and without its path, with
 * a slash at the end, in another case and with a query. No resource means this host.
 */
export function checkResources(origin: string, resources: readonly string[]): void {
  for (const resource of resources) {
    if (!names(origin, resource)) {
      throw new OAuthError(
        'invalid_target',
        `The resource belongs to another host. Use ${resourceOf(origin)}`,
      )
    }
  }
}

function names(origin: string, resource: string): boolean {
  const url = resource.length <= 2_048 && /^[\x21-\x7e]+$/.test(resource) ? URL.parse(resource) : null
  if (!url || url.origin !== origin || url.username !== '' || url.password !== '') return false
  if (
    resource.includes('#') ||
    resource.includes('\\') ||
    /\/\.{1,2}(?:\/|$|\?)|%/.test(resource.split('?')[0] ?? '')
  )
    return false
  return paths.has(url.pathname.replace(/\/$/, ''))
}
