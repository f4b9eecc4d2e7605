import { gatewayPlugin } from '../../../core/product/gateway-plugin'
import { tenancy } from '../../../core/product/tenancy-plugin'
import { notes, readers } from '../../support/notes-plugin'
import { testPlugin } from '../../support/test-plugin'

testPlugin(gatewayPlugin)
testPlugin(notes)
testPlugin(readers, { with: [notes] })
testPlugin(tenancy)
