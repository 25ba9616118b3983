import type { Words } from './words.ts'

/**
 * Returns the script of the tables of companies. Decisions and answers of substitutes belong to the user who asked, and
 * their keys begin with that user; the others are of all.
 */
export function teamSchemaOf({ integer, text, numbered, table }: Words): string {
  return `
    CREATE TABLE team_groups (
      id ${numbered},
      parent_id ${integer},
      path ${text} NOT NULL,
      name ${text} NOT NULL,
      sees_members ${integer} NOT NULL,
      least_present ${integer},
      defaults ${text},
      created_at ${text} NOT NULL,
      UNIQUE (path),
      UNIQUE (parent_id, name)
    ) ${table};

    CREATE TABLE memberships (
      id ${numbered},
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      group_id ${integer} NOT NULL REFERENCES team_groups (id),
      from_date ${text} NOT NULL,
      until_date ${text},
      accepted_on ${text},
      created_at ${text} NOT NULL,
      UNIQUE (user_id, group_id, from_date)
    ) ${table};
    CREATE INDEX memberships_by_group ON memberships (group_id, user_id);

    CREATE TABLE team_roles (
      id ${numbered},
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role ${text} NOT NULL,
      group_id ${integer} NOT NULL REFERENCES team_groups (id),
      from_date ${text} NOT NULL,
      until_date ${text},
      stands_in_for ${integer} REFERENCES users (id) ON DELETE CASCADE,
      given_by ${integer},
      confirmed_by ${integer},
      confirmed_at ${text},
      created_at ${text} NOT NULL,
      UNIQUE (user_id, role, group_id, from_date)
    ) ${table};
    CREATE INDEX team_roles_by_group ON team_roles (group_id, role);
    CREATE INDEX team_roles_by_lead ON team_roles (stands_in_for);

    CREATE TABLE team_policies (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      from_date ${text} NOT NULL,
      policy ${text} NOT NULL,
      given_by ${integer},
      created_at ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};

    CREATE TABLE team_blocks (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      group_id ${integer} NOT NULL REFERENCES team_groups (id),
      from_date ${text} NOT NULL,
      to_date ${text} NOT NULL,
      reason ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};

    CREATE TABLE team_trail (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      at ${text} NOT NULL,
      actor ${integer},
      kind ${text} NOT NULL,
      data ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};

    CREATE TABLE team_facts (
      user_id ${integer} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      company_id ${integer} NOT NULL,
      version ${integer} NOT NULL,
      time_zone ${text} NOT NULL,
      absences ${text} NOT NULL,
      requests ${text} NOT NULL,
      shown ${text} NOT NULL,
      shown_at ${text} NOT NULL,
      changed_at ${text} NOT NULL
    ) ${table};

    CREATE TABLE decisions (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      request_id ${text} NOT NULL,
      digest ${text} NOT NULL,
      stage ${integer} NOT NULL,
      outcome ${text} NOT NULL,
      reason ${text},
      decided_by ${integer} NOT NULL,
      is_own ${integer} NOT NULL,
      decided_at ${text} NOT NULL,
      PRIMARY KEY (user_id, request_id, digest, stage)
    ) ${table};

    CREATE TABLE substitute_answers (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      request_id ${text} NOT NULL,
      substitute ${integer} NOT NULL,
      answer ${text} NOT NULL,
      answered_at ${text} NOT NULL,
      PRIMARY KEY (user_id, request_id, substitute)
    ) ${table};
  `
}
