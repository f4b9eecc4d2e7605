import { gate } from '../../../core/product/gate-plugin'
import { tenancy } from '../../../core/product/tenancy-plugin'
import { notes, readers } from '../../support/notes-plugin'
import { testPlugin } from '../../support/test-plugin'

testPlugin(gate)
testPlugin(notes)
testPlugin(readers, { with: [notes] })
testPlugin(tenancy)
