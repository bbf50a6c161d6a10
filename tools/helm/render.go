// Renders the chart as Helm does, where there is no Helm: Go's templates, the functions of sprig, and the few that Helm adds. Needs Debian's golang-go,
// golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev; tools/helm/render.ts starts it.
//
//	render <chart> <release> <values file>
//
// Prints {"objects": […], "notes": "…"}, or ends with what is wrong. Version and appVersion are those of $VERSION: what was rendered stays
// the same when a release changes nothing else.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig" // Debian has version 3 there
	yaml "gopkg.in/yaml.v3"
)

type table = map[string]interface{}

func must(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

// As Helm has them: numbers of values are those of JSON.
func read(path string) table {
	text, err := os.ReadFile(path)
	must(path, err)
	var given, read table
	must(path, yaml.Unmarshal(text, &given))
	asJson, err := json.Marshal(given)
	must(path, err)
	must(path, json.Unmarshal(asJson, &read))
	return read
}

// A value that the chart does not know is a slip of whoever wrote it; where the chart has an empty table, anything may be given.
func merge(known, given table, path string) {
	for name, value := range given {
		before, isKnown := known[name]
		if !isKnown {
			must("values", fmt.Errorf("the chart has no %s%s", path, name))
		}
		inner, isTable := value.(table)
		if outer, wasTable := before.(table); wasTable && isTable {
			if len(outer) == 0 {
				known[name] = inner
			} else {
				merge(outer, inner, path+name+".")
			}
			continue
		}
		known[name] = value
	}
}

func functions(all *template.Template) template.FuncMap {
	added := sprig.TxtFuncMap()
	delete(added, "env")
	delete(added, "expandenv")
	added["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	added["toYaml"] = func(value interface{}) (string, error) {
		var text bytes.Buffer
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(text.String(), "\n"), err
	}
	added["required"] = func(why string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", why)
		}
		return value, nil
	}
	return added
}

func main() {
	chart, release, values := os.Args[1], os.Args[2], read(filepath.Join(os.Args[1], "values.yaml"))
	merge(values, read(os.Args[3]), "")
	about := read(filepath.Join(chart, "Chart.yaml"))
	version := os.Getenv("VERSION")
	data := table{
		"Values":       values,
		"Chart":        table{"Name": about["name"], "Version": version, "AppVersion": version},
		"Release":      table{"Name": release, "Namespace": "payments", "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Capabilities": table{"KubeVersion": table{"Version": "v1.25.0"}},
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must("templates", err)
	sort.Strings(files)
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(file, err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(file, err)
	}
	objects, notes := []table{}, ""
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		must(name, all.ExecuteTemplate(&text, name, data))
		rendered := strings.ReplaceAll(text.String(), "<no value>", "")
		if name == "NOTES.txt" {
			notes = rendered
			continue
		}
		decoder := yaml.NewDecoder(strings.NewReader(rendered))
		for {
			var object table
			err := decoder.Decode(&object)
			if err == io.EOF {
				break
			}
			must(name+"\n"+rendered, err)
			if object != nil {
				objects = append(objects, object)
			}
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	must("objects", encoder.Encode(table{"objects": objects, "notes": notes}))
}
