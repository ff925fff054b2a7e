import { stages } from '../changes/order-stages.ts';
import { testUninstall } from './uninstall.ts';

/** A stage before the order is sent, one with an unknown outcome and one after the order was sent. */
const STAGES = /planned|created, with a lost response|in production/;

testUninstall(stages.filter(({ name }) => STAGES.test(name)));
