import { expect, test } from 'bun:test'
import { appName } from '../../../../core/auth/oauth/clients/app-name'
import { remainingScopes, requestedScopes } from '../../../../core/auth/oauth/scopes'

test('scopes are split on any white space; what is unknown and offline_access are passed over', () => {
  expect(requestedScopes(' read  write')).toEqual(['read', 'write'])
  expect(requestedScopes('read\toffline_access openid')).toEqual(['read'])
  expect(requestedScopes('write')).toEqual(['read', 'write'])
  expect(requestedScopes('READ')).toEqual(['read', 'write'])
})

test('nothing asked for is everything, so that no app is frozen to nothing', () => {
  for (const none of [undefined, '', ' ', 'offline_access', 'openid profile']) {
    expect(requestedScopes(none)).toEqual(['read', 'write'])
  }
})

test('a refresh leaves what was granted, and never more', () => {
  expect(remainingScopes(['read', 'write'], undefined)).toEqual(['read', 'write'])
  expect(remainingScopes(['read', 'write'], 'read')).toEqual(['read'])
  expect(remainingScopes(['read'], 'read write')).toEqual(['read'])
  expect(remainingScopes(['read'], 'offline_access')).toEqual(['read'])
})

test('the name of an app is one line of what can be seen', () => {
  expect(appName('  Claude\n Code ')).toBe('Claude Code')
  expect(appName('a\u202Eb\u200Bc\u0000d\u{E0041}e')).toBe('abcde')
  for (const none of [null, undefined, '', '\u200B \u202E']) expect(appName(none)).toBe('Unnamed app')
  expect([...appName('😀'.repeat(500))].length).toBe(80)
})
