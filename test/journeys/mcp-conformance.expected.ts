/** Why a check of the suite cannot pass here. */
const reasons = {
  deprecated: 'Logging is deprecated since 2026-07-28, and is not offered.',
  completion: 'A fixture: it asks for completions, which are not offered, of a prompt of its own.',
  content: 'A fixture: it asks for a tool, a prompt or a resource that is no text; answers here are JSON.',
  uri: 'A fixture: it reads test:// addresses; resources here are the record types, and never change.',
  progress:
    'A fixture: it asks for a tool that tells of its progress; a call here is answered within a second.',
  asking: 'A fixture: it calls a tool that asks the client back, which no operation can.',
  schema: 'A fixture, pending: it wants $defs in a schema, for which clients are known to drop every tool.',
  mirrored: 'Pending: it wants a tool that mirrors an argument in a header; none does.',
  tasks: 'An extension: tasks are not offered, and what is called answers at once.',
} as const

type Failures = Readonly<Record<string, keyof typeof reasons>>

const both: Failures = {
  'completion-complete': 'completion',
  'json-schema-2020-12': 'schema',
  'prompts-get-embedded-resource': 'content',
  'prompts-get-with-image': 'content',
  'resources-read-binary': 'uri',
  'resources-read-text': 'uri',
  'resources-templates-read': 'uri',
  'tools-call-audio': 'content',
  'tools-call-embedded-resource': 'content',
  'tools-call-image': 'content',
  'tools-call-mixed-content': 'content',
  'tools-call-with-progress': 'progress',
}

/**
 * What fails of each requirement set: a scenario, or one check of a scenario whose others pass. More fails the test, and so does less.
 */
export const expectedFailures: Readonly<Record<string, Failures>> = {
  '2025-11-25': {
    ...both,
    'elicitation-sep1034-defaults': 'asking',
    'elicitation-sep1330-enums': 'asking',
    'logging-set-level': 'deprecated',
    'resources-subscribe': 'uri',
    'resources-unsubscribe': 'uri',
    'tools-call-elicitation': 'asking',
    'tools-call-sampling': 'asking',
    'tools-call-with-logging': 'deprecated',
  },
  '2026-07-28': {
    ...both,
    'http-custom-header-server-validation': 'mirrored',
    'input-required-result-basic-elicitation': 'asking',
    'input-required-result-basic-list-roots': 'asking',
    'input-required-result-basic-sampling': 'asking',
    'input-required-result-capability-check': 'asking',
    'input-required-result-multi-round': 'asking',
    'input-required-result-multiple-input-requests': 'asking',
    'input-required-result-non-tool-request': 'asking',
    'input-required-result-request-state': 'asking',
    'input-required-result-result-type': 'asking',
    'input-required-result-tampered-state': 'asking',
    'server-stateless/sep-2575-missing-capability-http-400': 'asking',
    'server-stateless/sep-2575-server-rejects-undeclared-capability': 'asking',
    'tasks-capability-negotiation': 'tasks',
    'tasks-dispatch-and-envelope': 'tasks',
    'tasks-lifecycle': 'tasks',
    'tasks-mrtr-composition': 'tasks',
    'tasks-mrtr-input': 'tasks',
    'tasks-request-headers': 'tasks',
    'tasks-request-state-removal': 'tasks',
    'tasks-required-task-error': 'tasks',
    'tasks-wire-fields': 'tasks',
  },
}
