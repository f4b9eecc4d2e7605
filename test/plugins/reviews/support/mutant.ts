import { join } from 'node:path'
import { plugin } from 'bun'

/** A line of the product, and what it is made into. */
export interface Mutant {
  /** Below plugins/reviews. */
  readonly file: string
  readonly from: string
  readonly to: string
}

const root = join(import.meta.dir, '../../../../plugins/reviews')

export const sourceOfMutant = ({ file }: Pick<Mutant, 'file'>): Promise<string> =>
  Bun.file(join(root, file)).text()

const named = process.env.RENOWN_MUTANT
if (named !== undefined) {
  const mutant: Mutant = JSON.parse(named)
  const path = join(root, mutant.file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  plugin({
    name: 'mutant',
    setup(build) {
      build.onLoad({ filter: new RegExp(`^${path}$`) }, async () => ({
        contents: (await sourceOfMutant(mutant)).replace(mutant.from, () => mutant.to),
        loader: 'ts',
      }))
    },
  })
}
