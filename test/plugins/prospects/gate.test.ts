import { testPlugin } from 'renown/testing'
import enrichment from '../../../plugins/enrichment'
import leads from '../../../plugins/leads'
import prospects from '../../../plugins/prospects'
import reviews from '../../../plugins/reviews'
import traffic from '../../../plugins/traffic'
import visibility from '../../../plugins/visibility'

testPlugin(prospects, { with: [enrichment, leads, reviews, traffic, visibility] })
