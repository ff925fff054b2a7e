import { z } from 'zod';
import { plainText } from './setting-types.ts';

const MOST_HOSTS = 50;
/** Labels of a name in DNS, two at least; the last has a letter, which an IP address has not. */
const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const LONGEST_HOST = 253;
const HOST_RULE =
  'must be names of hosts such as files.example.com, or *.example.com for all under it, without https:// and path';

/** The print files of lines that bring their own. */
export const fileSettings = {
  printFileProperty: plainText(100)
    .nullable()
    .describe('Property of an ordered line that has the address of its own print file; null: none has'),
  printFileHosts: z
    .array(
      z
        .string(HOST_RULE)
        .trim()
        .toLowerCase()
        .refine((host) => host.length <= LONGEST_HOST && HOST.test(host), HOST_RULE),
    )
    .refine((hosts) => hosts.length <= MOST_HOSTS, `must be at most ${MOST_HOSTS} hosts`)
    .describe('Hosts from which print files of lines may come, such as files.example.com or *.example.com'),
};

export const fileDefaults = {
  printFileProperty: null,
  printFileHosts: [],
};
