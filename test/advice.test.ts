import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { advice } from '../core/product/checks/advice'
import { doctorProofs, type Proof, pluginProofs } from './support/advice-proofs'
import { adviceIn } from './support/advice-sentences'
import { docsProofs } from './support/docs-advice-proofs'
import { docsRoot, readPage } from './support/docs-pages'

const sources = async (pattern: string) =>
  Promise.all(
    [...new Bun.Glob(pattern).scanSync(docsRoot)]
      .sort()
      .map(async (file) => ({ file, text: await Bun.file(join(docsRoot, file)).text() })),
  )

/** What is wrong with a proof: a file or a test that is not there. */
async function faultOf(proof: Proof): Promise<string | null> {
  if ('untried' in proof) return proof.untried.length > 20 ? null : 'a reason is missing'
  const file = Bun.file(join(docsRoot, proof.by))
  if (!(await file.exists())) return `${proof.by} does not exist`
  return (await file.text()).includes(proof.title) ? null : `${proof.by} has no test "${proof.title}"`
}

const faultsOf = async (proofs: Readonly<Record<string, Proof>>) => {
  const faults = await Promise.all(
    Object.entries(proofs).map(async ([name, proof]) => [name, await faultOf(proof)] as const),
  )
  return faults.filter(([, fault]) => fault !== null)
}

describe('each sentence of doctor that tells an operator what to do is done by a test', () => {
  test('the table of sentences and that of tests are the same', async () => {
    expect(Object.keys(doctorProofs).sort()).toEqual(Object.keys(advice).sort())
    expect(await faultsOf(doctorProofs)).toEqual([])
  })

  test('the checks say nothing that is not in the table, and use all of it', async () => {
    const files = [...(await sources('core/product/checks/*.ts')), ...(await sources('core/cli/doctor.ts'))]
    const checks = files.filter(({ file }) => !file.endsWith('advice.ts'))
    // The one template joins two entries of the table.
    const literal = /mend\s*[:=]\s*(?:\n\s*)?(?:'|`(?!\$\{))/
    expect(checks.filter(({ text }) => literal.test(text)).map(({ file }) => file)).toEqual([])
    const used = checks.map(({ text }) => text).join('\n')
    expect(Object.keys(advice).filter((name) => !used.includes(`advice.${name}`))).toEqual([])
  })

  test('what the checks of plugins say is done too', async () => {
    const said = (await sources('plugins/**/*check.ts')).flatMap(({ text }) =>
      /SelfCheck/.test(text) ? mendsOf(text) : [],
    )
    expect(said.sort()).toEqual(Object.keys(pluginProofs).sort())
    expect(await faultsOf(pluginProofs)).toEqual([])
  })
})

/** The texts after `mend`, with each of a choice. */
const mendsOf = (code: string): string[] =>
  [...code.matchAll(/mend\s*[:=]([\s\S]{0,400}?)(?=\n\s*(?:return|try|\}|const))/g)].flatMap(
    ([, text = '']) =>
      [...text.matchAll(/'([^']{10,})'|`([^`]{10,})`/g)].map(
        ([, plain, template]) => plain ?? template ?? '',
      ),
  )

/** Pages with instructions, and those that were once a part of each. */
const operatorPages: Readonly<Record<string, readonly string[]>> = {
  'docs/operators/operating.md': [
    'docs/operators/domains.md',
    'docs/operators/people.md',
    'docs/operators/data.md',
    'docs/operators/mail.md',
    'docs/operators/command-line.md',
    'docs/operators/monitoring.md',
    'docs/operators/fair-shares.md',
  ],
  'docs/operators/scale.md': ['docs/operators/many-processes.md'],
}

describe('each instruction of a page for operators is done by a test', () => {
  test.each(Object.entries(operatorPages))('%s', async (first, others) => {
    const proofs = docsProofs[first] ?? {}
    const texts = await Promise.all([first, ...others].map(readPage))
    expect(Object.keys(proofs).sort()).toEqual(texts.flatMap(adviceIn).sort())
    expect(await faultsOf(proofs)).toEqual([])
  })

  test('a new instruction is found', () => {
    const page =
      'It is fast. Set `NEW` to 1 first.\n\n| State | What to do |\n|---|---|\n| Off | Run it twice |\n'
    expect(adviceIn(page)).toEqual(['Set `NEW` to 1 first.', 'Run it twice'])
  })
})
