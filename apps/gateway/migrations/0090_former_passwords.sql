-- The last passwords of a person, as digests: none of them is taken again.
create table former_passwords (
  person_id bigint not null constraint former_passwords_person_fkey references people,
  number integer not null,               -- counts on for each person
  digest text not null,
  constraint former_passwords_pkey primary key (person_id, number)
);
grant select, insert, delete on former_passwords to cowrie_engine;
