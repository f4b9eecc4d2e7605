import { plugin } from 'bun'
import compiler from 'typescript-js'

// The generator prints through the compiler's JavaScript interface, which TypeScript 7 does not have: it gets one that does.
plugin({
  name: 'the compiler that the generator needs',
  setup(build) {
    build.module('typescript', () => ({ exports: { default: compiler, ...compiler }, loader: 'object' }))
  },
})

const [, , from = '', to = ''] = process.argv
const { default: openapiTypes, astToString } = await import('openapi-typescript')
await Bun.write(
  to,
  astToString(await openapiTypes(await Bun.file(from).text(), { defaultNonNullable: false })),
)
