import type { Host } from '../../requests/host'
import { resourceOf } from './resource'
import { oauthPath } from './route-table'
import { everyScope } from './scopes'

export const authMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const

/**
 * Returns the URL of the metadata that names the authorization server of a host. Every 401 of the host
 * contains it.
 */
export const resourceMetadataUrl = ({ origin }: Pick<Host, 'origin'>): string =>
  `${origin}${oauthPath('resource')}`

/** RFC 9728. */
export const protectedResource = ({ origin }: Pick<Host, 'origin'>) => ({
  resource: resourceOf(origin),
  authorization_servers: [origin],
  scopes_supported: everyScope,
  bearer_methods_supported: ['header'],
  resource_name: 'Renown',
  resource_documentation: `${origin}/docs`,
})

/** Returns the metadata of RFC 8414. Each host is a separate server with its origin as issuer. */
export const authorizationServer = ({ origin }: Pick<Host, 'origin'>) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${oauthPath('authorize')}`,
  token_endpoint: `${origin}${oauthPath('token')}`,
  registration_endpoint: `${origin}${oauthPath('register')}`,
  revocation_endpoint: `${origin}${oauthPath('revoke')}`,
  scopes_supported: [...everyScope, 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${origin}/docs`,
})
