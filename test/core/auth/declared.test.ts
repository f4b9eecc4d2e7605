import { expect, test } from 'bun:test'
import { people } from '../../../core/auth/people/plugin'
import { gatewayPlugin } from '../../../core/product/gateway-plugin'
import { tenancy } from '../../../core/product/tenancy-plugin'
import { commandLines, entityLines } from '../../support/declared'

const entities = [...(gatewayPlugin.entities ?? []), ...(people.entities ?? [])]
const commands = [
  ...(gatewayPlugin.commands ?? []),
  ...(people.commands ?? []),
  ...(tenancy.commands ?? []).filter(({ name }) => name.startsWith('domain ')),
]

/** No caller reads these record types, so no published document shows a change of one. */
const internal: Readonly<Record<string, ReturnType<typeof entityLines>>> = {
  OAuthClient: {
    prefix: 'ocl',
    stored: 'in documents, by agency in workspace_id',
    reads: '',
    hidden: 'secret_hash',
    sortable: '',
    indexes: ['-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      host: 'string?',
      url: 'string?',
      name: 'string',
      redirect_uris: 'string[]',
      auth_method: 'enum(none,client_secret_post,client_secret_basic)',
      secret_hash: 'string?',
      fresh_until: 'instant?',
      expires_at: 'instant',
    },
  },
  OAuthRequest: {
    prefix: 'oar',
    stored: 'in documents, by agency in workspace_id',
    reads: '',
    hidden: '',
    sortable: '',
    indexes: ['-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      host: 'string',
      client_id: 'string',
      redirect_uri: 'string',
      state: 'string?',
      scopes: 'string[]',
      code_challenge: 'string',
      is_decided: 'boolean',
      expires_at: 'instant',
    },
  },
  OAuthCode: {
    prefix: 'oac',
    stored: 'in documents, by agency in workspace_id',
    reads: '',
    hidden: '',
    sortable: '',
    indexes: ['-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      host: 'string',
      client_id: 'string',
      grant_id: 'string',
      redirect_uri: 'string',
      code_challenge: 'string',
      is_used: 'boolean',
      valid_until: 'instant',
      expires_at: 'instant',
    },
  },
  OAuthGrant: {
    prefix: 'ogr',
    stored: 'in documents, by agency in agency_id',
    reads: '',
    hidden: '',
    sortable: 'created_date',
    indexes: ['-created_date.-id', 'agency_id.-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      agency_id: 'string',
      user_id: 'string',
      host: 'string',
      client_id: 'string',
      client_name: 'string',
      is_verified: 'boolean',
      app_host: 'string',
      scopes: 'enum(read,write)[]',
      workspace_ids: 'string[]?',
      connected_at: 'instant?',
      last_used_at: 'instant?',
      is_revoked: 'boolean',
      revoked_at: 'instant?',
      revoked_reason:
        'enum(disconnected,revoked_by_app,code_replayed,refresh_token_reused,password_changed,person_left,domain_removed)?',
      expires_at: 'instant',
    },
  },
  OAuthToken: {
    prefix: 'otk',
    stored: 'in documents, by agency in workspace_id',
    reads: '',
    hidden: '',
    sortable: '',
    indexes: ['-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      kind: 'enum(access,refresh)',
      grant_id: 'string',
      agency_id: 'string',
      user_id: 'string',
      scopes: 'enum(read,write)[]',
      is_rotated: 'boolean?',
      rotated_at: 'instant?',
      siblings: 'integer? minimum 0',
      expires_at: 'instant',
    },
  },
  AgentKey: {
    prefix: 'key',
    stored: 'in documents, by agency in id',
    reads: '',
    hidden: 'key_hash',
    sortable: '',
    indexes: ['-created_date.-id', 'key_hash.is_active=true.unique'],
    fields: {
      key_hash: 'string',
      last4: 'string',
      is_active: 'boolean',
      minted_at: 'instant',
      last_used_at: 'instant?',
    },
  },
  Session: {
    prefix: 'ses',
    stored: 'in documents, by agency in agency_id',
    reads: '',
    hidden: 'token_hash',
    sortable: 'created_date',
    indexes: [
      '-created_date.-id',
      'agency_id.-created_date.-id',
      'token_hash.unique',
      'user_id.-created_date.-id',
      'expires_at.ttl=0',
    ],
    fields: {
      token_hash: 'string',
      user_id: 'string',
      agency_id: 'string',
      host: 'string',
      chosen_workspace_id: 'string?',
      browser: 'string',
      signed_in_at: 'instant',
      reauthenticated_at: 'instant?',
      last_used_at: 'instant',
      ends_at: 'instant',
      expires_at: 'instant',
    },
  },
  SignInStep: {
    prefix: 'sis',
    stored: 'in documents, by agency in agency_id',
    reads: '',
    hidden: '',
    sortable: '',
    indexes: ['-created_date.-id', 'agency_id.-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      waits_for: 'enum(code,password)',
      user_id: 'string',
      agency_id: 'string',
      host: 'string',
      next: 'string?',
      expires_at: 'instant',
    },
  },
  SignInAttempts: {
    prefix: 'sia',
    stored: 'in documents, by agency in workspace_id',
    reads: '',
    hidden: '',
    sortable: '',
    indexes: ['-created_date.-id', 'expires_at.ttl=0'],
    fields: {
      failures: 'integer minimum 0',
      blocked_until: 'instant?',
      expires_at: 'instant',
    },
  },
  OwnerLink: {
    prefix: 'own',
    stored: 'in documents, by agency in agency_id',
    reads: '',
    hidden: 'token_hash',
    sortable: '',
    indexes: ['-created_date.-id', 'agency_id.-created_date.-id', 'token_hash.unique', 'expires_at.ttl=0'],
    fields: {
      token_hash: 'string',
      user_id: 'string',
      agency_id: 'string',
      expires_at: 'instant',
    },
  },
}

test.each(Object.keys(internal))('%s is stored as declared here, and no caller reads it', (name) => {
  const entity = entities.find((one) => one.name === name)
  expect(entity && entityLines(entity)).toEqual(internal[name] as never)
})

test('every record type of the gateway and of sign-ins is declared here or by its own folder', () => {
  const elsewhere = ['AuditEntry', 'EventEntry', 'IdempotentAnswer', 'UsageDay']
  expect(entities.map(({ name }) => name).sort()).toEqual([...Object.keys(internal), ...elsewhere].sort())
})

const typed: Readonly<Record<string, ReturnType<typeof commandLines>>> = {
  'key rotate': {
    options: {
      agency_id: 'string?',
    },
    positional: '',
    secrets: 'agent_key',
  },
  'key revoke': {
    options: {
      agency_id: 'string?',
    },
    positional: '',
    secrets: '',
  },
  'app list': {
    options: {
      agency_id: 'string?',
    },
    positional: '',
    secrets: '',
  },
  'app disconnect': {
    options: {
      grant_id: 'string',
    },
    positional: 'grant_id',
    secrets: '',
  },
  'owner link': {
    options: {
      agency_id: 'string?',
    },
    positional: '',
    secrets: 'owner_link',
  },
  'people list': {
    options: {
      agency_id: 'string?',
    },
    positional: '',
    secrets: '',
  },
  'people invite': {
    options: {
      name: 'string minLength 1 maxLength 100',
      agency_id: 'string?',
      role: 'enum(member,owner)? default "member"',
      workspace_ids: 'string[]?',
    },
    positional: 'name',
    secrets: 'sign_in_link',
  },
  'people link': {
    options: {
      user_id: 'string',
    },
    positional: 'user_id',
    secrets: 'sign_in_link',
  },
  'people deactivate': {
    options: {
      user_id: 'string',
    },
    positional: 'user_id',
    secrets: '',
  },
  'people activate': {
    options: {
      user_id: 'string',
    },
    positional: 'user_id',
    secrets: '',
  },
  'domain add': {
    options: {
      domain: 'string',
      agency_id: 'string?',
    },
    positional: 'domain',
    secrets: '',
  },
  'domain list': {
    options: {
      agency_id: 'string?',
    },
    positional: '',
    secrets: '',
  },
  'domain verify': {
    options: {
      domain: 'string',
      agency_id: 'string?',
    },
    positional: 'domain',
    secrets: '',
  },
  'domain remove': {
    options: {
      domain: 'string',
      agency_id: 'string?',
    },
    positional: 'domain',
    secrets: '',
  },
}

test.each(Object.keys(typed))('%s takes what is declared here, and marks its secrets', (name) => {
  const command = commands.find((one) => one.name === name)
  expect(command && commandLines(command)).toEqual(typed[name] as never)
})
